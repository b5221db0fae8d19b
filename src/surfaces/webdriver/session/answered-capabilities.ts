/** The capabilities of an open session as Appium tells them: those that were asked for, and what the phone is. */
import type { DeviceInfo } from '../../../contracts/device/device.ts'
import type { SessionTimeouts } from './live-session.ts'

/** A density at which one unit of a layout is one pixel. */
const BASE_DENSITY = 160

const defined = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const phoneFacts = ({ deviceId, model, manufacturer, androidVersion, apiLevel, display }: DeviceInfo) => {
  const { width, height, density } = display ?? {}
  return defined({
    'appium:deviceName': deviceId,
    'appium:deviceUDID': deviceId,
    'appium:platformVersion': androidVersion,
    'appium:deviceApiLevel': apiLevel,
    'appium:deviceModel': model,
    'appium:deviceManufacturer': manufacturer,
    'appium:deviceScreenSize': display && `${width}x${height}`,
    'appium:deviceScreenDensity': density,
    'appium:pixelRatio': density === undefined ? undefined : density / BASE_DENSITY,
    'appium:viewportRect': display && { left: 0, top: 0, width, height },
  })
}

export interface ToldFacts {
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly device: DeviceInfo
  readonly applicationId: string | undefined
  readonly timeouts: SessionTimeouts
}

/** A connection for events (`webSocketUrl`) is not offered, so it is not told back. */
export const toldCapabilities = ({
  capabilities,
  device,
  applicationId,
  timeouts,
}: ToldFacts): Record<string, unknown> => {
  const { webSocketUrl: _, ...offered } = capabilities
  return {
    ...offered,
    platformName: 'Android',
    'appium:automationName': 'UiAutomator2',
    ...phoneFacts(device),
    ...(applicationId === undefined ? {} : { 'appium:appPackage': applicationId }),
    'appium:takesScreenshot': true,
    // In web contexts.
    'appium:javascriptEnabled': true,
    'appium:desired': offered,
    timeouts: { ...timeouts },
  }
}
