/** Values that are made when they are first read, so that a process starts without them. */

/** `make` runs once, at the first call. */
export const lazy = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
