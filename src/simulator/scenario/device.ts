/** The facts of a simulated device that a scenario may set. */
import * as v from 'valibot'
import { OPERATOR_CAPABILITIES } from '../../contracts/device/operator.ts'
import { closedObject, dictionary, keyedBy } from '../../contracts/json/objects.ts'
import { count, integer } from '../../contracts/json/scalars.ts'
import { Name, ShownText } from './field-schemas.ts'

export const DEVICE_PIXELS = { min: 200, max: 4_096 } as const
const DENSITY = { min: 80, max: 800 } as const

const Size = closedObject({
  width: v.exactOptional(integer(DEVICE_PIXELS), 1_080),
  height: v.exactOptional(integer(DEVICE_PIXELS), 2_400),
  density: v.exactOptional(integer(DENSITY), 420),
})

export const OPERATOR_WAYS = ['socket', 'broadcast', 'none'] as const
/** How the operator app can be reached: by both ways, by broadcast only, or not at all because it is not installed. */
export type OperatorWays = (typeof OPERATOR_WAYS)[number]

const Operator = closedObject({
  ways: v.exactOptional(v.picklist(OPERATOR_WAYS), 'socket'),
  /** Off, every request is answered with SERVICE_UNAVAILABLE. */
  accessibility: v.exactOptional(v.boolean(), true),
  version: v.exactOptional(Name, '1.0.0'),
  /** The app does this beyond answering requests; an empty list is an app of before there were capabilities. */
  capabilities: v.exactOptional(v.array(v.picklist(OPERATOR_CAPABILITIES)), () => [...OPERATOR_CAPABILITIES]),
})

/** How long a device takes, in ms of its own time. */
const Durations = closedObject({
  /** The time that `uiautomator dump` takes. */
  dump: v.exactOptional(count, 0),
  /** From one screen to the next: until then nothing can be dumped. */
  transition: v.exactOptional(count, 0),
})

/** How a phone takes `screenrecord`: in any size, in no size above 720x1280, without an encoder, or without the program. */
const ENCODER_KINDS = ['any-size', 'small-sizes', 'none', 'no-program'] as const
export type EncoderKind = (typeof ENCODER_KINDS)[number]

export const Device = closedObject({
  /** Properties for `getprop`, over those that every simulated device has. */
  properties: v.exactOptional(dictionary(ShownText), () => ({})),
  /** `<namespace>/<key>`, as `settings get <namespace> <key>` shows them. */
  settings: v.exactOptional(
    keyedBy(
      v.pipe(v.string(), v.regex(/^(global|secure|system)\/\S+$/, 'must be such as global/adb_enabled')),
      ShownText,
    ),
    () => ({}),
  ),
  size: v.exactOptional(Size, {}),
  state: v.exactOptional(v.picklist(['device', 'unauthorized', 'offline', 'recovery']), 'device'),
  screenOff: v.exactOptional(v.boolean(), false),
  /** Behind a keyguard that only a person can pass. */
  locked: v.exactOptional(v.boolean(), false),
  /** False: one with keys of its own, on which no keyboard comes up. */
  keyboard: v.exactOptional(v.boolean(), true),
  /** False: one whose shell has no command for the clipboard, as most phones are. */
  clipboard: v.exactOptional(v.boolean(), true),
  /** The package of an app that did not respond once: `dumpsys window` tells first what was in front then. */
  lastAnr: v.exactOptional(Name),
  durations: v.exactOptional(Durations, {}),
  encoder: v.exactOptional(v.picklist(ENCODER_KINDS), 'any-size'),
  operator: v.exactOptional(Operator, {}),
})
export type Device = v.InferOutput<typeof Device>
