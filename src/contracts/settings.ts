/** The settings of a device that svc reads and changes, and the form of the value of each. */
import * as v from 'valibot'
import { closedObject, dictionary, openObject } from './objects.ts'
import { decimal, integer } from './scalars.ts'
import {
  BATTERY_LEVEL,
  BRIGHTNESS,
  FONT_SCALE,
  LOCALE_CHARS_MAX,
  ORIENTATIONS,
  PLUGS,
  type SettingName,
} from './setting-names.ts'

/** In degrees. */
const Location = closedObject({
  latitude: decimal({ min: -90, max: 90 }),
  longitude: decimal({ min: -180, max: 180 }),
})
/** The level in percent; the plug stays as it is where none is named. */
const Battery = closedObject({ level: integer(BATTERY_LEVEL), plugged: v.exactOptional(v.picklist(PLUGS)) })

const Switch = v.pipe(
  v.union([v.boolean(), v.picklist(['on', 'off'])]),
  v.transform(value => value === true || value === 'on'),
)

/** The canonical tag, such as pt-BR; undefined for a text that is no BCP 47 tag. */
const canonicalLocale = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

const Locale = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LOCALE_CHARS_MAX),
  v.check(tag => canonicalLocale(tag) !== undefined),
  v.transform(tag => canonicalLocale(tag) ?? tag),
)

const SWITCH_WORDS = 'true or false (or on, off)'

export type SettingValue = boolean | number | string | v.InferOutput<typeof Location> | v.InferOutput<typeof Battery>

interface SettingForm {
  schema: v.GenericSchema<unknown, SettingValue>
  /** Completes `must be`. */
  words: string
}

const number = ({ min, max }: { min: number; max: number }) => `from ${min} to ${max}`

const FORMS: Readonly<Record<SettingName, SettingForm>> = {
  orientation: { schema: v.picklist(ORIENTATIONS), words: `one of ${ORIENTATIONS.join(', ')}` },
  dark_mode: { schema: Switch, words: SWITCH_WORDS },
  animations: { schema: Switch, words: SWITCH_WORDS },
  wifi: { schema: Switch, words: SWITCH_WORDS },
  mobile_data: { schema: Switch, words: SWITCH_WORDS },
  airplane_mode: { schema: Switch, words: SWITCH_WORDS },
  stay_awake: { schema: Switch, words: SWITCH_WORDS },
  font_scale: { schema: decimal(FONT_SCALE), words: `a number ${number(FONT_SCALE)}` },
  brightness: { schema: integer(BRIGHTNESS), words: `an integer ${number(BRIGHTNESS)}` },
  locale: { schema: Locale, words: 'a BCP 47 language tag such as fr-FR' },
  location: {
    schema: Location,
    words: 'an object with latitude, -90 to 90, and longitude, -180 to 180',
  },
  battery: {
    schema: Battery,
    words: `an object with level, ${BATTERY_LEVEL.min} to ${BATTERY_LEVEL.max}, and optionally plugged: ${PLUGS.join(', ')}`,
  },
}

/** Whatever some setting takes. */
export const AnySettingValue = v.union(
  [v.boolean(), v.number(), v.string(), Location, Battery],
  `must have the form that the setting takes, such as true, 1.3, "fr-FR" or {"level": 15}`,
)

/** The canonical value, or what it must be. */
export const readSettingValue = (
  setting: SettingName,
  value: unknown,
): { ok: true; value: SettingValue } | { ok: false; problem: string } => {
  const { schema, words } = FORMS[setting]
  const read = v.safeParse(schema, value)
  return read.success ? { ok: true, value: read.output } : { ok: false, problem: `must be ${words} for ${setting}` }
}

export const settingWords = (setting: SettingName): string => FORMS[setting].words

/** Null where the device does not say. */
export const DeviceSettings = dictionary(v.nullable(AnySettingValue))
export type DeviceSettings = Partial<Record<SettingName, SettingValue | null>>
export const SettingsResponse = openObject({ ok: v.literal(true), settings: DeviceSettings })
export type SettingsResponse = v.InferOutput<typeof SettingsResponse>
