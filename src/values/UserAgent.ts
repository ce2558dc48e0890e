/** The User-Agent of every request that the service sends. Some hiring systems refuse requests without one. */
export const userAgent = "interview-invitations/1"
