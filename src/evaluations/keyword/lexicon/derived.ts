/** English nouns whose stem differs from that of their verb. A line is `verb: noun noun`. */
export const derivedNouns = `
absorb: absorption
acquire: acquisition acquisitions
administer: administration administrations
admit: admission admissions
analyse: analysis analyses
analyze: analysis
apply: application applications
approve: approval approvals
arrive: arrival arrivals
assemble: assembly assemblies
assume: assumption assumptions
classify: classification
clarify: clarification
collide: collision
conclude: conclusion
consume: consumption
convert: conversion conversions
deliver: delivery deliveries
describe: description descriptions
destroy: destruction
diagnose: diagnosis diagnoses
discover: discovery
dispose: disposal
dissolve: dissolution
divide: division
erode: erosion
expand: expansion
explain: explanation explanations
explode: explosion
expose: exposure
extend: extension extensions
fail: failure failures
identify: identification
include: inclusion
injure: injury injuries
inquire: inquiry inquiries
introduce: introduction
maintain: maintenance
modify: modification modifications
multiply: multiplication
notify: notification notifications
perceive: perception
permit: permission permissions
prescribe: prescription prescriptions
produce: production productions
propose: proposal proposals
provide: provision
purify: purification
receive: reception receipt receipts
recover: recovery
reduce: reduction reductions
refer: referral referrals
register: registration registrations
remove: removal
renew: renewal renewals
resolve: resolution
respond: response responses
retrieve: retrieval
revise: revision revisions
solve: solution solutions
specify: specification specifications
store: storage
submit: submission submissions
supervise: supervision
survive: survival
suspend: suspension
transcribe: transcription
transmit: transmission
use: usage
verify: verification verifications
`
