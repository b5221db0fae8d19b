/** Whole numbers as values of flags. */
import { type Given, usage } from './command.ts'

export const wholeNumber = (
  given: Given,
  flag: string,
  { min, max }: { min: number; max: number },
): number | undefined => {
  const text = given.text(flag)
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw usage(`--${flag} is a whole number from ${min} to ${max}, not "${text}".`)
  return value
}
