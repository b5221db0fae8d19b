/** The services behind `cmd` that change how the phone behaves: night mode, Wi-Fi, airplane mode, languages, places; and `svc`. */
import { type Command, type Context, fail, USAGE_CODE } from '../command.ts'
import { withoutUser } from './properties.ts'

/** The versions of Android in which a verb came. */
const SDK = { airplane: 29, night: 29, wifi: 30, providers: 31, locale: 33 } as const

const sdkOf = ({ phone }: Context): number => Number(phone.properties.get('ro.build.version.sdk'))

/** Ends with 0, as the real one does. */
const noShellCommand = (context: Context) => fail(context, 'No shell command implementation.', 0)

const unknownVerb = async (context: Context, verb: string | undefined): Promise<number> => {
  await context.out(`Unknown command: ${verb ?? ''}\n`)
  return USAGE_CODE
}

const NIGHT_KEY = 'secure/ui_night_mode'
const NIGHT_MODES = ['auto', 'no', 'yes']

export const uimode: Command = async context => {
  const { phone, out, args } = context
  const [verb, mode] = args
  if (sdkOf(context) < SDK.night) return noShellCommand(context)
  if (verb !== 'night') return unknownVerb(context, verb)
  if (mode !== undefined && !NIGHT_MODES.includes(mode)) {
    return fail(context, "Error: mode must be 'yes', 'no', or 'auto'", USAGE_CODE)
  }
  if (mode !== undefined) phone.settings.set(NIGHT_KEY, String(NIGHT_MODES.indexOf(mode)))
  return out(`Night mode: ${NIGHT_MODES[Number(phone.settings.get(NIGHT_KEY) ?? '1')]}\n`)
}

const WIFI_KEY = 'global/wifi_on'
const AIRPLANE_KEY = 'global/airplane_mode_on'
/** On, and off for airplane mode. */
const [WIFI_OFF, WIFI_ON, WIFI_AIRPLANE, WIFI_WAITS] = ['0', '1', '2', '3']

const isAirplane = ({ phone }: Context) => phone.settings.get(AIRPLANE_KEY) === '1'
const isWifiOn = ({ phone }: Context) => [WIFI_ON, WIFI_AIRPLANE].includes(phone.settings.get(WIFI_KEY) ?? '')

const setWifi = (context: Context, isOn: boolean) => {
  const on = isAirplane(context) ? WIFI_AIRPLANE : WIFI_ON
  context.phone.settings.set(WIFI_KEY, (isOn ? on : WIFI_OFF) ?? '')
}

export const wifi: Command = async context => {
  const [verb, word] = context.args
  if (sdkOf(context) < SDK.wifi) return unknownVerb(context, verb)
  if (verb === 'status') {
    return context.out(
      `Wifi is ${isWifiOn(context) ? 'enabled' : 'disabled'}\nWifi scanning is only available when wifi is enabled\n`,
    )
  }
  if (verb !== 'set-wifi-enabled') return unknownVerb(context, verb)
  if (word !== 'enabled' && word !== 'disabled') {
    return fail(context, "Invalid args for set-wifi-enabled: expected 'enabled' or 'disabled'", USAGE_CODE)
  }
  setWifi(context, word === 'enabled')
  return 0
}

export const connectivity: Command = async context => {
  const { phone, args, out } = context
  const [verb, word] = args
  if (sdkOf(context) < SDK.airplane) return noShellCommand(context)
  if (verb !== 'airplane-mode') return unknownVerb(context, verb)
  if (word === undefined) return out(`${isAirplane(context) ? 'enabled' : 'disabled'}\n`)
  if (word !== 'enable' && word !== 'disable') return unknownVerb(context, word)
  const isOn = word === 'enable'
  const wifiWas = phone.settings.get(WIFI_KEY)
  phone.settings.set(AIRPLANE_KEY, isOn ? '1' : '0')
  if (isOn && wifiWas === WIFI_ON) phone.settings.set(WIFI_KEY, WIFI_WAITS ?? '')
  if (!isOn && wifiWas === WIFI_WAITS) phone.settings.set(WIFI_KEY, WIFI_ON ?? '')
  return 0
}

const STAY_ON: Readonly<Record<string, string>> = { true: '7', false: '0', ac: '1', usb: '2', wireless: '4' }

export const svc: Command = context => {
  const { phone, args } = context
  const [service, verb, word = ''] = args
  if ((service === 'wifi' || service === 'data') && (verb === 'enable' || verb === 'disable')) {
    const isOn = verb === 'enable'
    if (service === 'wifi') setWifi(context, isOn)
    else phone.settings.set('global/mobile_data', isOn ? '1' : '0')
    return 0
  }
  if (service === 'power' && verb === 'stayon' && Object.hasOwn(STAY_ON, word)) {
    phone.settings.set('global/stay_on_while_plugged_in', STAY_ON[word] ?? '0')
    return 0
  }
  if (service === 'wifi' || service === 'data') {
    return fail(context, `Control the ${service === 'wifi' ? 'Wi-Fi manager' : 'mobile data connection'}`, 1)
  }
  return 0
}

const flagged = (args: readonly string[], flag: string): string | undefined => {
  const at = args.indexOf(flag)
  return at < 0 ? undefined : args[at + 1]
}

const userIn = (args: readonly string[]) => flagged(args, '--user') ?? '0'

const NO_SERVICE_CODE = 20

export const locale: Command = async context => {
  const { phone, args, out } = context
  const [verb, name = ''] = args
  if (sdkOf(context) < SDK.locale) return fail(context, "cmd: Can't find service: locale", NO_SERVICE_CODE)
  if (verb !== 'set-app-locales' && verb !== 'get-app-locales') return unknownVerb(context, verb)
  if (!phone.packages().includes(name)) {
    return fail(
      context,
      `Exception occurred while executing '${verb}':\njava.lang.IllegalArgumentException: Unknown package: ${name} for user ${userIn(args)}`,
      USAGE_CODE,
    )
  }
  const { appLocales } = phone.system
  if (verb === 'get-app-locales') {
    return out(`Locales for ${name} for user ${userIn(args)} are [${appLocales.get(name) ?? ''}]\n`)
  }
  const tags = flagged(args, '--locales')
  if (tags === undefined || tags === '') appLocales.delete(name)
  else appLocales.set(name, tags)
  return 0
}

const providers: Command = async context => {
  const { phone, args } = context
  const [verb, name = '', word] = args
  const { testProviders, appops } = phone.system
  if (appops.get('com.android.shell android:mock_location') !== 'allow') {
    return fail(
      context,
      `Exception occurred while executing 'providers':\njava.lang.SecurityException: com.android.shell from uid 2000 not allowed to perform MOCK_LOCATION`,
      USAGE_CODE,
    )
  }
  if (verb === 'add-test-provider') testProviders.set(name, { isEnabled: false })
  else if (verb === 'remove-test-provider') testProviders.delete(name)
  else {
    const provider = testProviders.get(name)
    if (!provider) {
      return fail(
        context,
        `Exception occurred while executing 'providers':\njava.lang.IllegalArgumentException: ${name} provider is not a test provider`,
        USAGE_CODE,
      )
    }
    if (verb === 'set-test-provider-enabled') testProviders.set(name, { ...provider, isEnabled: word === 'true' })
    else if (verb === 'set-test-provider-location') {
      testProviders.set(name, { ...provider, place: flagged(args, '--location') ?? '' })
    } else return unknownVerb(context, verb)
  }
  return 0
}

const LOCATION_KEY = 'secure/location_mode'
const LOCATION_ON = '3'
const LOCATION_HELP = ['Location service commands:', '  help or -h', '    Print this help text.']
const PROVIDERS_HELP = ['  providers', '    add-test-provider <PROVIDER> [--requiresNetwork] ...']

export const location: Command = async context => {
  const { phone, args, out } = context
  const [verb, ...rest] = args
  const hasProviders = sdkOf(context) >= SDK.providers
  if (verb === 'help') return out(`${[...LOCATION_HELP, ...(hasProviders ? PROVIDERS_HELP : [])].join('\n')}\n`)
  if (verb === 'providers' && hasProviders) return providers({ ...context, args: rest })
  if (verb === 'set-location-enabled') {
    phone.settings.set(LOCATION_KEY, withoutUser(rest)[0] === 'true' ? LOCATION_ON : '0')
    return 0
  }
  if (verb === 'is-location-enabled') return out(`${phone.settings.get(LOCATION_KEY) !== '0'}\n`)
  return unknownVerb(context, verb)
}

/** The operations of the shell itself, which is no package here. Others than that of a mocked location change nothing. */
export const appopsOfShell: Command = async ({ phone, args, out }) => {
  const [verb, name = '', operation = '', mode = ''] = withoutUser(args)
  const key = `${name} ${operation}`
  if (verb === 'set') {
    if (mode === 'default') phone.system.appops.delete(key)
    else phone.system.appops.set(key, mode)
    return 0
  }
  if (verb !== 'get') return 0
  const held = phone.system.appops.get(key)
  const short = operation.replace(/^android:/, '').toUpperCase()
  return out(held === undefined ? 'No operations.\nDefault mode: deny\n' : `${short}: ${held}\n`)
}
