/** The name of member `m`, else the address. */
export const memberName = "coalesce(nullif(trim(m.name), ''), m.email)"
