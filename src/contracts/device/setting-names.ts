/** The settings of a device by their names, and the limits of their values and changes. Loads no schema. */
export const SETTING_NAMES = [
  'orientation',
  'dark_mode',
  'animations',
  'wifi',
  'mobile_data',
  'airplane_mode',
  'stay_awake',
  'font_scale',
  'brightness',
  'locale',
  'location',
  'battery',
] as const
export type SettingName = (typeof SETTING_NAMES)[number]

export const ORIENTATIONS = ['portrait', 'landscape_left', 'landscape_right', 'upside_down', 'auto'] as const
export type Orientation = (typeof ORIENTATIONS)[number]

/** The sources of power of a simulated battery. */
export const PLUGS = ['none', 'ac', 'usb', 'wireless'] as const
export type Plug = (typeof PLUGS)[number]

export const FONT_SCALE = { min: 0.5, max: 2 } as const
export const BRIGHTNESS = { min: 0, max: 255 } as const
/** In percent. */
export const BATTERY_LEVEL = { min: 0, max: 100 } as const
export const LOCALE_CHARS_MAX = 100

/** Changes of one device that are not put back yet; each record of them carries all. */
export const OPEN_CHANGES_MAX = 1_000
