/** Milliseconds on a clock that all processes of this machine share and that never jumps. */
export const sharedMillis = (): number => Number(process.hrtime.bigint()) / 1e6
