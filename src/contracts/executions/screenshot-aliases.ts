/** The spellings of the step that writes a picture, and of its path: the thin client of a daemon knows these alone. */

export const SCREENSHOT_TYPE_ALIASES = {
  screenshot: 'take_screenshot',
  capture_screenshot: 'take_screenshot',
} as const

export const PATH_KEY_ALIASES = { file: 'path', filePath: 'path', output_path: 'path' } as const

/** By whichever name it is called, before anything of the payload is checked. */
export const isScreenshotType = (type: unknown): boolean => {
  if (typeof type !== 'string') return false
  const plain = type.trim().toLowerCase()
  return plain === 'take_screenshot' || Object.hasOwn(SCREENSHOT_TYPE_ALIASES, plain)
}

/** The names of the parameter `path`. */
export const PATH_KEYS: readonly string[] = ['path', ...Object.keys(PATH_KEY_ALIASES)]
