/** Plays the scripts of children: they print, start others, have phones tapped through a process of their host, and end. */
import type { RequestContext } from '../../../src/contracts/doors/request-context.ts'
import { SKILL_RESULT_MARKER } from '../../../src/contracts/skills/skill-result.ts'
import type { Asked } from '../../laws/story.ts'
import { type Answer, answerOf, broken, killed } from '../../long/trial/answer.ts'
import type { Life } from '../host/life.ts'
import { tapOf } from '../phone/tap.ts'
import type { Place } from '../plan/plan.ts'
import type { Scheduler } from '../scheduler.ts'
import type { NewProcess, OperatingSystem, SimulatedProcess } from './operating-system.ts'
import type { Frame, Script, Step } from './script.ts'

const WAY_MS = { min: 0, max: 3 }
const TAP_MS = 1_500
const KILOBYTE = 1_024
const FLOOD_PARTS = 8
const REFUSED = { kind: 'answered', claim: 'did-not', code: 'ECONNREFUSED' } as const

/** What it did that judges its run. */
export interface ChildFacts {
  process: SimulatedProcess
  frames: Frame[]
  printed: string
}

interface ChildrenOptions {
  scheduler: Scheduler
  lifeAt(place: Place): Life | undefined
  /** The phone and the skill of a run by its name. */
  runOf(name: string): { serial: string; skillId: string } | undefined
  system(): OperatingSystem
}

const frameText = (frame: Frame, skillId: string): string => {
  const result = {
    contractVersion: '1.0.0',
    skillId,
    inputs: {},
    result: { kind: 'text', text: 'done' },
    status: frame === 'failed' ? 'failed' : 'success',
    checkpoints: [],
    ...(frame === 'source' ? { source: { kind: 'script' } } : {}),
    ...(frame === 'unproved'
      ? {}
      : { terminalVerification: { status: 'verified', observed: { kind: 'text', text: 'done' } } }),
  }
  const framed = `${SKILL_RESULT_MARKER}\n${frame === 'malformed' ? '{"contractVersion":' : JSON.stringify(result)}\n`
  return frame === 'twice' ? framed + framed : framed
}

export const createChildren = ({ scheduler, lifeAt, runOf, system }: ChildrenOptions) => {
  const { post } = scheduler
  const asked: Asked[] = []
  const facts: ChildFacts[] = []
  const calls = new Set<{ life: Life; settle(answer: Answer): void }>()

  const request = (child: SimulatedProcess, step: Extract<Step, { do: 'tap' }>, then: () => void) => {
    const { command, isKeyed = false } = step
    const key = isKeyed ? `key-${command}-${child.serial}` : undefined
    const device = runOf(child.name)?.serial ?? ''
    const began = scheduler.now()
    const life = lifeAt({ host: 0, process: step.process })
    const settle = (answer: Answer, text: string) => {
      asked.push({ command, key, host: 'h0', device, began, ended: scheduler.now(), answer, text })
      then()
    }
    const way = () => child.owner.random.int(WAY_MS.min, WAY_MS.max)
    if (!life) return void post(child.owner, way(), 'finds nobody', () => settle(REFUSED, 'nobody listens'))
    let isSettled = false
    const call = {
      life,
      settle(answer: Answer, text = 'it died') {
        if (isSettled) return
        isSettled = true
        calls.delete(call)
        if (child.owner.isDead) return settle(killed, 'the caller was killed')
        post(child.owner, way(), `hears ${answer.claim} ${answer.code ?? ''}`, () => settle(answer, text))
      },
    }
    calls.add(call)
    child.onEnd.unshift(() => call.settle(killed))
    const context: RequestContext = {
      caller: 'cli',
      ...(child.runId === undefined ? {} : { skillRunId: child.runId }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    }
    const input = { execution: tapOf({ command, timeoutMs: TAP_MS, beforeMs: 0, afterMs: 0 }), deviceId: device }
    post(life.owner, way(), `is asked ${command}`, () => {
      life
        .service()
        .then(service => service.execute(input as never, { context }))
        .then(
          result => {
            if (!scheduler.cross(life.owner, `answers ${command}`)) return
            call.settle(answerOf(result.ok ? result.value : result.error, result.executionId), JSON.stringify(result))
          },
          (error: unknown) => call.settle(broken(error), String(error)),
        )
    })
  }

  const print = (child: SimulatedProcess, text: string, to: 'stdout' | 'stderr' = 'stdout') => {
    if (child[to]?.write(text) !== false || child.onTerm === 'ignores') return
    system().end(child, { exitCode: null, signal: 'SIGPIPE' })
  }

  const play = (child: SimulatedProcess, { steps }: Script, start: (made: NewProcess) => SimulatedProcess) => {
    const own: ChildFacts = { process: child, frames: [], printed: '' }
    facts.push(own)
    const end = (exitCode: number) => system().end(child, { exitCode, signal: null })

    const fork = (step: Extract<Step, { do: 'fork' }>) => {
      const { stdout, stderr } = step.holdsOutput ? child : { stdout: undefined, stderr: undefined }
      const { runId, name, group } = child
      const made = { name: `of ${name}`, runId, onTerm: step.onTerm, parent: undefined, stdout, stderr }
      const other = start(step.isAway ? made : { ...made, group })
      post(other.owner, step.ms, 'is done', () => system().end(other, { exitCode: 0, signal: null }))
    }

    /** Calls `next` once the step is done, unless nothing comes after it. */
    const take = (step: Step, next: () => void): void => {
      switch (step.do) {
        case 'print':
          if (step.to === undefined) own.printed += step.text
          print(child, step.text, step.to)
          next()
          return
        case 'frame':
          own.frames.push(step.frame)
          print(child, frameText(step.frame, runOf(child.name)?.skillId ?? ''))
          next()
          return
        case 'flood': {
          const part = 'x'.repeat((step.kilobytes * KILOBYTE) / FLOOD_PARTS)
          for (let index = 0; index < FLOOD_PARTS; index++) print(child, `${part}\n`)
          next()
          return
        }
        case 'wait':
          post(child.owner, step.ms, 'has waited', next)
          return
        case 'tap':
          request(child, step, () => (step.again ? request(child, step, next) : next()))
          return
        case 'fork':
          fork(step)
          next()
          return
        case 'hang':
          return
        case 'exit':
          end(step.code)
      }
    }
    const go = (index: number): void => {
      if (child.owner.isDead) return
      const step = steps[index]
      if (step === undefined) end(0)
      else take(step, () => void post(child.owner, 0, 'goes on', () => go(index + 1)))
    }
    post(child.owner, child.owner.random.int(1, 5), 'begins', () => go(0))
  }

  return {
    play,
    asked: asked as readonly Asked[],
    facts: facts as readonly ChildFacts[],
    orphan(life: Life) {
      for (const call of [...calls]) if (call.life === life) call.settle(broken({ code: 'ECONNRESET' }))
    },
    open: () => calls.size,
  }
}

export type Children = ReturnType<typeof createChildren>
