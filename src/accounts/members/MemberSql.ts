/** The name of member `m`, else the email address. */
export const memberName = "coalesce(nullif(trim(m.name), ''), m.email)"
