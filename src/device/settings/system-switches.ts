/** The settings that have a tool of their own and two values: dark_mode, wifi, mobile_data, airplane_mode. */
import { readKey } from './keys.ts'
import { askIfKnown, askSetting, type DeviceSetting, type SettingScope, unsupported } from './setting.ts'

const NIGHT = 'night'
const NIGHT_MODES: Readonly<Record<string, boolean>> = { yes: true, no: false }

/** `auto` and the modes that follow a schedule are neither; they are put back by their names. */
export const darkMode: DeviceSetting = {
  isOfUser: false,
  async read(scope) {
    const output = await askIfKnown(scope, ['cmd', 'uimode', 'night'])
    const [, mode] = /^Night mode:\s*([a-z_]+)/im.exec(output ?? '') ?? []
    return mode === undefined ? undefined : { [NIGHT]: mode }
  },
  valueIn: ({ [NIGHT]: mode }) => (mode == null ? null : (NIGHT_MODES[mode] ?? mode)),
  has: (state, value) => darkMode.valueIn(state) === value,
  stateFor: value => ({ [NIGHT]: value === true ? 'yes' : 'no' }),
  async write({ [NIGHT]: mode }, scope) {
    await askSetting(scope, ['cmd', 'uimode', 'night', mode ?? 'no'])
  },
}

const STATE = 'state'
const ON = 'enabled'
const OFF = 'disabled'

interface SystemSwitch {
  isOn(scope: SettingScope): Promise<boolean | undefined>
  words(isOn: boolean): readonly string[]
}

const systemSwitch = ({ isOn, words }: SystemSwitch): DeviceSetting => ({
  isOfUser: false,
  async read(scope) {
    const found = await isOn(scope)
    return found === undefined ? undefined : { [STATE]: found ? ON : OFF }
  },
  valueIn: state => state[STATE] === ON,
  has: (state, value) => (state[STATE] === ON) === value,
  stateFor: value => ({ [STATE]: value === true ? ON : OFF }),
  async write(state, scope) {
    await askSetting(scope, words(state[STATE] === ON))
  },
})

/** 1 is on, 2 on in airplane mode; 3 is off for airplane mode. */
const WIFI_ON = ['1', '2']
const verbFor = (isOn: boolean) => (isOn ? 'enable' : 'disable')

export const wifi = systemSwitch({
  async isOn(scope) {
    const status = await askIfKnown(scope, ['cmd', 'wifi', 'status'])
    const [, word] = /^Wifi is (enabled|disabled)\b/im.exec(status ?? '') ?? []
    if (word !== undefined) return word.toLowerCase() === ON
    const key = await readKey(scope, 'global/wifi_on')
    return key === null ? undefined : WIFI_ON.includes(key)
  },
  words: isOn => ['svc', 'wifi', verbFor(isOn)],
})

const DATA = 'global/mobile_data'
const DATA_SIM = 'global/multi_sim_data_call'

/** With several SIM cards, each has a key of its own. */
export const mobileData = systemSwitch({
  async isOn(scope) {
    const sim = await readKey(scope, DATA_SIM)
    const ofSim = sim !== null && /^\d{1,9}$/.test(sim) ? await readKey(scope, `${DATA}${sim}`) : null
    const key = ofSim ?? (await readKey(scope, DATA))
    return key === null ? undefined : key !== '0'
  },
  words: isOn => ['svc', 'data', verbFor(isOn)],
})

const AIRPLANE = ['cmd', 'connectivity', 'airplane-mode'] as const

/** Android 8 and 9 let no shell change it, but tell it. */
export const airplaneMode: DeviceSetting = {
  ...systemSwitch({
    async isOn(scope) {
      const [, word] = /^(enabled|disabled)\b/im.exec((await askIfKnown(scope, AIRPLANE)) ?? '') ?? []
      if (word !== undefined) return word.toLowerCase() === ON
      const key = await readKey(scope, 'global/airplane_mode_on')
      return key === null ? undefined : key !== '0'
    },
    words: isOn => [...AIRPLANE, verbFor(isOn)],
  }),
  async write(state, scope) {
    const output = await askIfKnown(scope, [...AIRPLANE, verbFor(state[STATE] === ON)])
    if (output === undefined) throw unsupported('before Android 10 no shell may change the airplane mode')
  },
}
