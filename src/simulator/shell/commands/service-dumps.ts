/** `dumpsys battery`, which also sets it, and `dumpsys location`. */
import { resetBattery } from '../../system-state.ts'
import type { Context } from '../command.ts'

const LABELS: Readonly<Record<string, string>> = { ac: 'AC', usb: 'USB', wireless: 'Wireless' }

/** Answers with the words for a wrong call; undefined where the change was made. */
const changeBattery = ({ phone }: Context, [verb, option, value = '']: readonly string[]): string | undefined => {
  const { system } = phone
  if (verb === 'reset') {
    system.battery = resetBattery()
    return undefined
  }
  const { battery } = system
  if (verb === 'unplug') for (const source of battery.powered.keys()) battery.powered.set(source, false)
  else if (option === undefined) return 'No property specified'
  else if (!/^-?\d+$/.test(value)) return `Bad value: ${value}`
  else if (option === 'level') battery.level = Number(value)
  else if (battery.powered.has(option)) battery.powered.set(option, value !== '0')
  else if (!['status', 'temp', 'dock', 'present', 'counter'].includes(option)) return `Unknown set option: ${option}`
  battery.isFrozen = true
  return undefined
}

export const batteryDump = (context: Context, args: readonly string[]): readonly string[] => {
  const [verb] = args
  if (verb === 'set' || verb === 'unplug' || verb === 'reset') {
    const problem = changeBattery(context, args)
    return problem === undefined ? [] : [problem]
  }
  const { level, powered, isFrozen } = context.phone.system.battery
  return [
    'Current Battery Service state:',
    ...(isFrozen ? ["  (UPDATES STOPPED -- use 'reset' to restart)"] : []),
    ...[...powered].map(([source, isOn]) => `  ${LABELS[source]} powered: ${isOn}`),
    `  level: ${level}`,
    '  scale: 100',
  ]
}

const DECIMALS = 6

const placeOf = (coordinates: string | undefined): string | undefined =>
  coordinates
    ?.split(',')
    .map(part => Number(part).toFixed(DECIMALS))
    .join(',')

export const locationDump = ({ phone }: Context): readonly string[] => {
  const isOn = phone.settings.get('secure/location_mode') !== '0'
  const { testProviders } = phone.system
  const names = new Set(['passive', 'network', 'fused', 'gps', ...testProviders.keys()])
  return [
    'Location Manager State:',
    `  User Info:\n    Current user: 0`,
    `  Location Settings:\n    Location Setting: ${isOn}`,
    '  Location Providers:',
    ...[...names].flatMap(name => {
      const test = testProviders.get(name)
      const place = placeOf(test?.place)
      return [
        `    ${name} provider${test ? ' [mock]' : ''}:`,
        '      listeners:',
        place === undefined
          ? '      last location=null'
          : `      last location=Location[${name} ${place} hAcc=100.0 et=+1m0s0ms mock]`,
        `      enabled=${isOn && (test?.isEnabled ?? true)}`,
      ]
    }),
  ]
}
