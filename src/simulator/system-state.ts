/** State of a simulated phone that its services keep and no setting holds: battery, test locations, languages of applications. */
interface TestProvider {
  isEnabled: boolean
  /** `latitude,longitude` as it was given. */
  place?: string
}

export interface SystemState {
  battery: {
    level: number
    /** The sources of power by their names in `dumpsys battery set`. */
    powered: Map<string, boolean>
    /** Set by hand, the values stay until they are reset. */
    isFrozen: boolean
  }
  /** By name. */
  testProviders: Map<string, TestProvider>
  /** By package: tags with commas. */
  appLocales: Map<string, string>
  /** By `<package> <operation>`. */
  appops: Map<string, string>
}

const REAL_LEVEL = 87

export const resetBattery = (): SystemState['battery'] => ({
  level: REAL_LEVEL,
  powered: new Map([
    ['ac', false],
    ['usb', true],
    ['wireless', false],
  ]),
  isFrozen: false,
})

export const createSystemState = (): SystemState => ({
  battery: resetBattery(),
  testProviders: new Map(),
  appLocales: new Map(),
  appops: new Map(),
})
