/** Callers of simulated runs: they ask, cancel, lose answers, and note what they were told and what was left at that moment. */
import type { ErrorObject } from '../../../src/contracts/failures/error.ts'
import type { FinishedRun } from '../../../src/service/skills/run/finished-run.ts'
import type { Life } from '../host/life.ts'
import type { Place } from '../plan/plan.ts'
import type { Scheduler } from '../scheduler.ts'
import type { OperatingSystem, SimulatedProcess } from './operating-system.ts'
import type { RunAsk } from './plan.ts'

/** One request for a run, and its answer. Virtual ms. */
export interface AskedRun {
  ask: RunAsk
  began: number
  runId: string | undefined
  cancelledAt: number | undefined
  ended: number | undefined
  /** None came: the process died, or there was none. */
  isLost: boolean
  finished: FinishedRun | undefined
  error: ErrorObject | undefined
  /** The processes of the run when its answer was given. */
  left: readonly SimulatedProcess[]
}

interface CallersOptions {
  scheduler: Scheduler
  lifeAt(place: Place): Life | undefined
  serials: readonly string[]
  system(): OperatingSystem
}

const WAY_MS = { min: 0, max: 3 }
const ACTOR = 'skill-run:'

export const createCallers = ({ scheduler, lifeAt, serials, system }: CallersOptions) => {
  const { post } = scheduler
  const asked: AskedRun[] = []
  const calls = new Set<{ life: Life; settle(): void }>()

  const ask = (one: RunAsk): void => {
    const caller = scheduler.owner(`caller of ${one.name}`)
    const way = () => caller.random.int(WAY_MS.min, WAY_MS.max)
    post(caller, one.at - scheduler.now(), `asks for ${one.name}`, () => {
      const noted: AskedRun = {
        ask: one,
        began: scheduler.now(),
        runId: undefined,
        cancelledAt: undefined,
        ended: undefined,
        isLost: false,
        finished: undefined,
        error: undefined,
        left: [],
      }
      asked.push(noted)
      const life = lifeAt(one.place)
      const call = {
        life: life as Life,
        settle() {
          calls.delete(call)
          if (noted.ended !== undefined) return
          noted.isLost = true
          noted.ended = scheduler.now()
        },
      }
      if (!life) return call.settle()
      calls.add(call)
      const cancel = new AbortController()
      const answer = ({ finished, error }: Partial<Pick<AskedRun, 'finished' | 'error'>>) => {
        if (!scheduler.cross(life.owner, `answers ${one.name}`)) return
        calls.delete(call)
        const runId = finished?.runId ?? noted.runId
        Object.assign(noted, { finished, error, runId, ended: scheduler.now() })
        if (runId !== undefined) noted.left = system().left(runId)
        scheduler.note(caller, `hears ${finished?.status} ${(finished?.error ?? error)?.code ?? ''}`)
      }
      const input = {
        skillId: one.skillId,
        deviceId: serials[one.phone],
        args: [one.name],
        timeoutMs: one.timeoutMs,
        ...(one.expectContains === undefined ? {} : { expectContains: one.expectContains }),
      }
      post(life.owner, way(), `is asked for ${one.name}`, () => {
        life
          .service()
          .then(service =>
            service['skills.run'](input as never, {
              context: { caller: 'http' },
              signal: cancel.signal,
              onProgress: progress => {
                if (progress.kind === 'begun') noted.runId = progress.actor.replace(ACTOR, '')
              },
            }),
          )
          .then(
            result => answer(result.ok ? { finished: result.value } : { error: result.error }),
            (error: unknown) => answer({ error: { code: 'THROWN', message: String(error) } as never }),
          )
      })
      if (one.cancelAfterMs === undefined) return
      post(life.owner, one.cancelAfterMs, `is told to end ${one.name}`, () => {
        noted.cancelledAt ??= scheduler.now()
        cancel.abort('SIGINT')
      })
    })
  }

  return {
    ask,
    asked: asked as readonly AskedRun[],
    orphan(life: Life) {
      for (const call of [...calls]) if (call.life === life) call.settle()
    },
    open: () => asked.filter(({ ended }) => ended === undefined).map(({ ask: { name } }) => name),
  }
}
