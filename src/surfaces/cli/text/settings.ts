/** `svc settings get` for people. */
import type { DeviceSettings, SettingValue } from '../../../contracts/device/settings.ts'
import { facts } from './layout.ts'
import type { Page } from './page.ts'

const valueText = (value: SettingValue | null | undefined): string => {
  if (value == null) return 'not set, or not told'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value !== 'object') return String(value)
  if ('latitude' in value) return `${value.latitude}, ${value.longitude}`
  return `${value.level} %${value.plugged === undefined || value.plugged === 'none' ? '' : `, ${value.plugged}`}`
}

export const settingsText = (page: Page, { settings }: { settings: DeviceSettings }): string =>
  facts(
    page,
    Object.entries(settings).map(([name, value]) => [name, valueText(value)]),
  )
