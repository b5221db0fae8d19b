/** The tools that look at a device or take a whole execution: devices, snapshot, screenshot, execute. */
import { readFile, rm } from 'node:fs/promises'
import type { ImageContent } from '@modelcontextprotocol/server'
import type { ScreenOptions } from '../../../contracts/device/screen.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { unansweredField, unansweredSentence } from '../../../contracts/fleet.ts'
import { frameOf, screenshotExecution, snapshotExecution } from '../../../service/executions/actions/flat-actions.ts'
import { done, failed, reachedLine, shortened, text } from '../answers.ts'
import { deviceToLookAt, type Performed, perform } from '../perform.ts'
import { ACTS, LOOKS, LOOKS_LOCALLY, type Tool, type ToolCall, tool } from '../tool.ts'

const devices = tool({
  name: 'devices',
  description: 'List devices and their states.',
  annotations: LOOKS_LOCALLY,
  async run(_, { deps, signal }) {
    const listed = await deps.service['devices.list']({}, { context: { caller: 'mcp' }, signal })
    if (!listed.ok) return failed(listed.error)
    const { devices: found, unanswered } = listed.value
    const lines = found.map(
      ({ deviceId, state, lease }) =>
        `${deviceId} ${state}${lease === undefined ? '' : `, reserved: ${JSON.stringify(lease)}`}`,
    )
    const sentences = [lines.join('\n') || 'no devices', unansweredSentence(unanswered) ?? []].flat()
    return done(sentences.join('\n'), { devices: found, ...unansweredField(unanswered) })
  },
})

const device = tool({
  name: 'device',
  description: 'Describe a device: model, Android, battery, front app.',
  annotations: LOOKS,
  async run({ device: named }, { deps, signal }) {
    const call = { context: { caller: 'mcp' }, signal } as const
    const chosen = await deviceToLookAt(named, deps, call)
    const found = chosen.ok ? await deps.service['devices.get']({ deviceId: chosen.value }, call) : chosen
    if (!found.ok) return failed(found.error, { dispatched: false })
    const { device: info } = found.value
    const { deviceId, model, androidVersion, frontApp } = info
    const known = [model, androidVersion && `Android ${androidVersion}`, frontApp && `${frontApp} in front`]
    return done([deviceId, known.filter(Boolean).join(', ')].filter(Boolean).join(': '), { device: info })
  },
})

export const compactView = (since?: string): ScreenOptions => ({
  format: 'compact',
  ...(since === undefined ? {} : { since }),
})

const snapshot = tool({
  name: 'snapshot',
  description: 'Read the screen: compact lines with refs (@12.7), or full XML. since (executionId or last): changes.',
  annotations: { performs: ['snapshot'] },
  async run({ device, format = 'compact', since, waitMs }, call) {
    if (format === 'full' && since !== undefined) {
      return failed(failure('USAGE', 'snapshot: format full and since cannot be combined'), { dispatched: false })
    }
    const execution = snapshotExecution({ origin: 'mcp', now: call.deps.clock.now() })
    const view = format === 'full' ? undefined : compactView(since)
    const performed = await perform({ execution, device, view, waitMs }, call)
    if (!performed.ok) return performed.answer
    const { executionId, deviceId, envelope } = performed
    const screen = envelope.stepResults[0]?.data.text ?? ''
    // Clients show a model the content or the structured content: the screen has to be in both.
    return {
      content: [text(screen), text(reachedLine(performed))],
      structuredContent: { executionId, deviceId, text: screen },
    }
  },
})

type Pictured =
  | { ok: true; images: ImageContent[]; performed: Performed & { ok: true } }
  | { ok: false; problem: ReturnType<typeof failed> }

/** The pictures of an execution leave with its answer, and nothing of them stays on this host. */
const pictured = async (performed: Performed & { ok: true }): Promise<Pictured> => {
  const { executionId, envelope } = performed
  const images: ImageContent[] = []
  const stepResults = []
  for (const step of envelope.stepResults) {
    const { path, ...data } = step.data
    if (step.actionType !== 'take_screenshot' || path === undefined) {
      stepResults.push(step)
      continue
    }
    try {
      images.push({ type: 'image', data: (await readFile(path)).toString('base64'), mimeType: 'image/png' })
      await rm(path, { force: true })
    } catch (error) {
      const message = `The screenshot cannot be read: ${error instanceof Error ? error.message : String(error)}.`
      return { ok: false, problem: failed(failure('INTERNAL_ERROR', message), { executionId, dispatched: true }) }
    }
    stepResults.push({ ...step, data })
  }
  return { ok: true, images, performed: { ...performed, envelope: { ...envelope, stepResults } } }
}

export const takeScreenshot = async (device: string | undefined, call: ToolCall, waitMs?: number) => {
  const execution = screenshotExecution({ origin: 'mcp', now: call.deps.clock.now() })
  const performed = await perform({ execution, device, waitMs }, call)
  return performed.ok ? pictured(performed) : ({ ok: false, problem: performed.answer } as const)
}

const screenshot = tool({
  name: 'screenshot',
  description: 'Take a picture of the screen. snapshot is smaller.',
  annotations: { performs: ['take_screenshot'] },
  async run({ device, waitMs }, call) {
    const taken = await takeScreenshot(device, call, waitMs)
    if (!taken.ok) return taken.problem
    // Some clients drop the image if there is structured content.
    return { content: [...taken.images, text(reachedLine(taken.performed))] }
  },
})

/** A text that was read gets a line of its own. */
/** The text has the answer of a page too, for clients that show a model nothing else. */
const answerOf = ({ actionType, data }: StepResult): unknown => {
  if (actionType === 'read_page') return shortened(data.answer, 'structuredContent has all of it')
  return actionType === 'page_script' ? shortened(data.value, 'structuredContent has all of it') : data.text
}

export const stepLine = (step: StepResult): string => `${step.id} (${step.actionType}): ${answerOf(step) ?? 'done'}`

/** Ids and limits that a model need not invent. */
const completed = (execution: Readonly<Record<string, unknown>>, now: number) => ({
  ...frameOf('exec', { origin: 'mcp', now }),
  ...execution,
})

const execute = tool({
  name: 'execute',
  description: 'Run several actions as one execution. svc://schemas/execution describes it.',
  annotations: ACTS,
  async run({ execution, observe, device, waitMs }, call) {
    const view = { ...compactView(), ...(observe ? { observe } : {}) }
    const performed = await perform(
      { execution: completed(execution, call.deps.clock.now()), device, view, waitMs },
      call,
    )
    if (!performed.ok) return performed.answer
    const taken = await pictured(performed)
    if (!taken.ok) return taken.problem
    const { executionId, deviceId, envelope, observed } = taken.performed
    const stepLines = envelope.stepResults.map(stepLine)
    const answer = done([...stepLines, ...(observed ? [observed.text] : []), reachedLine(taken.performed)].join('\n'), {
      executionId,
      deviceId,
      envelope,
      ...(observed ? { observed } : {}),
    })
    return { ...answer, content: [...taken.images, ...answer.content] }
  },
})

export const SCREEN_TOOLS: readonly Tool[] = [devices, device, snapshot, screenshot, execute]
