/** The drafts of change_setting and restore_settings, and the value of a setting from the text of a command line. */
import { ENVELOPE_GRACE_MS, EXECUTION_TIMEOUT_MS } from '../contracts/limits.ts'
import type { Draft } from './flat-actions.ts'

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

interface ChangeValues {
  setting: string
  value: unknown
  applicationId?: string | undefined
  force?: boolean | undefined
}

export const changeSettingAction = ({ setting, value, applicationId, force }: ChangeValues): Draft => ({
  type: 'change_setting',
  params: {
    setting,
    value: typeof value === 'string' ? settingValueFrom(setting, value) : value,
    ...(applicationId === undefined ? {} : { applicationId }),
    ...(force === undefined ? {} : { force }),
  },
})

/** Each change takes some commands, and there may be many. */
export const restoreSettingsAction = (): Draft => ({
  type: 'restore_settings',
  timeoutMs: EXECUTION_TIMEOUT_MS.max - ENVELOPE_GRACE_MS,
})
