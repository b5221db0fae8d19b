/**
 * Templates of the on-screen log: the device fills in the `{{name}}` placeholders, the text travels unchanged. No import:
 * commands that warn of a placeholder load no schema.
 */
export const TEMPLATE_PLACEHOLDERS = [
  'foreground_app.icon',
  'foreground_app.package_name',
  'foreground_app.version_code',
  'foreground_app.version_name',
  'device.manufacturer',
  'device.model',
  'system.language_code',
  'system.language_tag',
  'system.language_name',
] as const
export type TemplatePlaceholder = (typeof TEMPLATE_PLACEHOLDERS)[number]
