/** Settings of the long run, from the environment: a value that is no number ends the run before it tries nothing. */

/** A number from 0 on; `otherwise` where nothing is set. */
export const setting = (name: `SVC_${string}`, otherwise: number): number => {
  const text = process.env[name]?.trim() ?? ''
  const value = text === '' ? otherwise : Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  throw new TypeError(`${name} takes a number from 0 on, not ${JSON.stringify(text)}.`)
}
