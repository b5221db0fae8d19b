/** System images by sdkmanager: whether one is there, and how it gets there. */
import type { EmulatorFailure } from './failure.ts'
import { runTool, shownText, type ToolRun, toolFailure } from './run-tool.ts'

/** All that a tool run takes beside its arguments. */
export type ToolBase = Omit<ToolRun, 'args' | 'stdin' | 'onText'>

export type Installed = { ok: true } | { ok: false; failure: EmulatorFailure }

const CODE = 'ANDROID_SYSTEM_IMAGE_INSTALL_FAILED'
/** More questions than any package has licences. */
const YES = 'y\n'.repeat(100)
const LIST = ['--list_installed']

/** The table's first column is the path of the package. */
const lists = (stdout: string, image: string): boolean =>
  shownText(stdout)
    .split('\n')
    .some(line => line.split('|')[0]?.trim() === image)

export interface Progress {
  percent: number | null
  step: string
}

const PERCENT = /\]\s*(\d{1,3})%\s*([^\r\n]*)/

/** `[====      ] 35% Downloading x86_64-35_r09.zip` */
const progressIn = (text: string): Progress | undefined => {
  const [, percent, step = ''] = PERCENT.exec(text) ?? []
  return percent === undefined ? undefined : { percent: Math.min(100, Number(percent)), step: step.trim() }
}

/** Says each percentage once. */
export const progressReader = (onProgress: (progress: Progress) => void): ((text: string) => void) => {
  let held = ''
  let last = -1
  return text => {
    const pieces = (held + text).split(/[\r\n]/)
    held = pieces.at(-1)?.slice(-1_000) ?? ''
    // The last piece has no end of line until it is drawn over, so it is read, too.
    for (const piece of pieces) {
      const progress = progressIn(piece)
      if (!progress || progress.percent === null || progress.percent === last) continue
      last = progress.percent
      onProgress(progress)
    }
  }
}

export const installImage = async (
  base: ToolBase,
  image: string,
  onProgress: (progress: Progress) => void,
): Promise<Installed> => {
  const failed = (args: readonly string[], end: Parameters<typeof toolFailure>[3]): Installed => ({
    ok: false,
    failure: toolFailure(CODE, `The system image ${image} could not be installed`, { tool: base.tool, args }, end),
  })
  const before = await runTool({ ...base, args: LIST })
  if (before.problem !== undefined) return failed(LIST, before)
  if (lists(before.stdout, image)) return { ok: true }
  const args = ['--install', image]
  onProgress({ percent: null, step: `Installing ${image}` })
  const end = await runTool({ ...base, args, stdin: YES, onText: progressReader(onProgress) })
  if (end.problem !== undefined) return failed(args, end)
  // It may skip a package whose licence was not accepted, and report success.
  const after = await runTool({ ...base, args: LIST })
  if (after.problem === undefined && lists(after.stdout, image)) return { ok: true }
  return failed(args, { ...end, problem: 'reported success, but the image is not installed' })
}
