/** The settings of a device that svc reads and changes, and the form of the value of each. */
import * as v from 'valibot'
import { closedObject, dictionary, openObject } from '../json/objects.ts'
import { decimal, integer } from '../json/scalars.ts'
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

/** Language, script, region, variants, and the extension that Unicode has. */
const BCP_47 =
  /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[uU](?:-[A-Za-z0-9]{2,8})+)?$/u

/** Writes a tag the usual way: pt-BR for pt-br. */
const canonicalLocale = (tag: string): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    return tag
  }
}

const Locale = v.pipe(v.string(), v.maxLength(LOCALE_CHARS_MAX), v.regex(BCP_47), v.transform(canonicalLocale))

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

const namesWith = (form: SettingForm['schema']): SettingName[] =>
  Object.entries(FORMS).flatMap(([name, { schema }]) => (schema === form ? [name as SettingName] : []))

const ofForm = (settings: readonly SettingName[], value: object) => ({
  properties: { setting: { enum: settings }, value, ...(settings.includes('locale') ? {} : { applicationId: false }) },
})

/** A JSON Schema describes with these what `readSettingValue` judges. */
export const SETTING_FORMS = {
  oneOf: [
    ofForm(['orientation'], { enum: ORIENTATIONS }),
    ofForm(namesWith(Switch), { enum: [true, false, 'on', 'off'] }),
    ofForm(['font_scale'], { type: 'number', minimum: FONT_SCALE.min, maximum: FONT_SCALE.max }),
    ofForm(['brightness'], { type: 'integer', minimum: BRIGHTNESS.min, maximum: BRIGHTNESS.max }),
    ofForm(['locale'], { type: 'string', maxLength: LOCALE_CHARS_MAX, pattern: BCP_47.source }),
    ofForm(['location'], { type: 'object', required: ['latitude'] }),
    ofForm(['battery'], { type: 'object', required: ['level'] }),
  ],
}

/** Null where the device does not say. */
export const DeviceSettings = dictionary(v.nullable(AnySettingValue))
export type DeviceSettings = Partial<Record<SettingName, SettingValue | null>>
export const SettingsResponse = openObject({ ok: v.literal(true), settings: DeviceSettings })
export type SettingsResponse = v.InferOutput<typeof SettingsResponse>
