/** The value of a setting from the text of a command line. */

import { BATTERY_LEVEL, PLUGS } from '../../../contracts/device/setting-names.ts'

const NUMBERS: readonly string[] = ['font_scale', 'brightness']
const WORDS: readonly string[] = ['orientation', 'locale']

/** A text that is no number stays one, so that validation can say what was expected. */
const numberOr = <T>(text: string, otherwise: T): number | T =>
  text.trim() === '' || Number.isNaN(Number(text)) ? otherwise : Number(text)

const pair = (text: string): readonly [string, string | undefined] => {
  const [first = '', second] = text.split(',').map(part => part.trim())
  return [first, second]
}

/** `true`, `1.3`, `fr-FR`, `48.85,2.35`, `15,ac`. */
export const settingValueFrom = (setting: string, text: string): unknown => {
  if (setting === 'orientation' && text === 'landscape') return 'landscape_left'
  if (WORDS.includes(setting)) return text
  if (NUMBERS.includes(setting)) return numberOr(text, text)
  const [first, second] = pair(text)
  if (setting === 'location') {
    const [latitude, longitude] = [numberOr(first, undefined), numberOr(second ?? '', undefined)]
    return latitude === undefined || longitude === undefined ? text : { latitude, longitude }
  }
  if (setting === 'battery') {
    const level = numberOr(first, undefined)
    if (level === undefined) return text
    return second === undefined ? { level } : { level, plugged: second }
  }
  return text === 'true' ? true : text === 'false' ? false : text
}

/** The settings whose values have parts, as the command line takes them. */
const FORMS: Readonly<Record<string, { rule: string; example: string }>> = {
  battery: {
    rule: `a level from ${BATTERY_LEVEL.min} to ${BATTERY_LEVEL.max}, and a plug where that changes too (${PLUGS.join(', ')})`,
    example: '15 or 15,ac',
  },
  location: { rule: 'a latitude from -90 to 90 and a longitude from -180 to 180', example: '48.85,2.35' },
}

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max

const hasForm = (setting: string, text: string): boolean => {
  const [first, second, ...rest] = text.split(',').map(part => part.trim())
  const number = numberOr(first ?? '', Number.NaN)
  if (rest.length > 0) return false
  if (setting === 'location')
    return isWithin(number, -90, 90) && isWithin(numberOr(second ?? '', Number.NaN), -180, 180)
  const isPlug = second === undefined || PLUGS.some(plug => plug === second)
  return Number.isInteger(number) && isWithin(number, BATTERY_LEVEL.min, BATTERY_LEVEL.max) && isPlug
}

/** Undefined for a value that has the form of its setting, or is left to the schema. */
export const settingProblem = (setting: string, text: string): { rule: string; example: string } | undefined => {
  const form = Object.hasOwn(FORMS, setting) ? FORMS[setting] : undefined
  return form && !hasForm(setting, text) ? form : undefined
}
