/** The JavaScript API of the TypeScript compiler, which TypeScript 7 lacks and generators use. */
export { ts as default } from "@ts-morph/common"
