type DefinedOnly<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>
}

/** The fields without those that are undefined, for properties that are optional (`name?: string`) or listed as JSON. */
export const definedOnly = <Fields extends object>(fields: Fields): DefinedOnly<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedOnly<Fields>
