/** Constructs the runner of flows: its ports for the host, what routes and commands ask, and its phones over the service. */
import { realpath } from 'node:fs/promises'
import type { RequestContext } from '../contracts/doors/request-context.ts'
import { isWithinRoots, pathInRoots } from '../device/files/file-roots.ts'
import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { announcedServers } from '../runtime/processes/announced-servers.ts'
import { createFlowPhones } from '../service/flow-phones.ts'
import type { FlowsDeps } from '../service/flows/deps.ts'
import type { FlowFiles } from '../service/flows/language/flow-library.ts'
import { hostFlowFiles } from '../service/flows/language/host-flow-files.ts'
import { planPort } from '../service/flows/plan-run.ts'
import { testRunOf } from '../service/flows/read-test-run.ts'
import { stagePort } from '../service/flows/run/stage-port.ts'
import { runnerPort } from '../service/flows/runner-port.ts'
import { type OpenFile, openAnyFile } from '../service/flows/script/form-body.ts'
import { scriptProgram } from '../service/flows/script/script-process.ts'
import { createFlowScripts } from '../service/flows/script/scripts.ts'
import { createTestRuns } from '../service/flows/test-runs.ts'
import { allowsFlowHttp } from '../service/policy/gates.ts'
import type { LoadedPolicy } from '../service/policy/load.ts'
import type { Service } from '../service/service.ts'
import type { Undo } from '../service/undo-left.ts'
import type { World } from './world.ts'

export interface FlowParts extends Pick<FlowsDeps, 'clock' | 'ids' | 'home' | 'note' | 'secrets'> {
  host: () => Host
  journal: () => Journal
  service: () => Promise<Service>
  undo: () => Undo
  /** The program file of this svc, beside which that of scripts is. */
  program: string | undefined
  flowScripts?: World['flowScripts'] | undefined
  policy: () => LoadedPolicy
}

/** The last part of a path may be a link as well. What is not there yet has none. */
const behindLink = async (path: string, roots: readonly string[]): Promise<string> => {
  const real = await realpath(path).catch(() => path)
  if (await isWithinRoots(real, roots)) return real
  throw new Error(`${path} leads out of the folders that are open to this caller`)
}

/** Files outside of the folders that are open to the caller cannot be read. */
const below = (roots: readonly string[]): FlowFiles => {
  const within =
    <T>(read: (path: string) => Promise<T>) =>
    async (path: string): Promise<T> => {
      const found = await pathInRoots(path, roots)
      if (!found.ok) throw new Error(found.problem)
      return read(await behindLink(found.path, roots))
    }
  const { read, kindOf, list, digest } = hostFlowFiles
  return { read: within(read), kindOf: within(kindOf), list: within(list), digest: within(digest) }
}

/** For files that scripts send. */
const openBelow: (roots: readonly string[], path: string) => ReturnType<OpenFile> = async (roots, path) => {
  const found = await pathInRoots(path, roots)
  if (!found.ok) throw new Error(found.problem)
  return openAnyFile(await behindLink(found.path, roots))
}

export const createFlowParts = ({ host, journal, service, program, policy, flowScripts, ...parts }: FlowParts) => {
  const runs: FlowsDeps['runs'] = new Map()
  const context = (flowRunId: string): RequestContext => {
    const request = runs.get(testRunOf(flowRunId))?.request
    // An agent may name no files unless folders were opened for it, also by a flow.
    const { caller, fileRoots = caller === 'mcp' ? [] : undefined, leaseId } = request ?? {}
    return {
      caller: 'flow',
      ...(flowRunId === '' ? {} : { skillRunId: flowRunId }),
      ...(leaseId === undefined ? {} : { leaseId }),
      ...(fileRoots === undefined ? {} : { fileRoots }),
    }
  }
  const deps: FlowsDeps = {
    ...parts,
    runs,
    attempts: new Map(),
    phonesInUse: new Set(),
    phones: createFlowPhones({ service, context, secrets: parts.secrets, undo: parts.undo }),
    filesFor: ({ fileRoots }) => (fileRoots === undefined ? hostFlowFiles : below(fileRoots)),
    openScripts: (seed, { caller, fileRoots }) =>
      flowScripts?.(seed) ??
      createFlowScripts({
        seed,
        digestOf: parts.secrets.digest,
        clock: parts.clock,
        program: scriptProgram(program),
        reach: {
          closedPorts: () => announcedServers(parts.home).map(({ url }) => Number(new URL(url).port)),
          isLocalOpen: () =>
            (fileRoots ?? (caller === 'mcp' ? [] : undefined)) === undefined || allowsFlowHttp(policy()),
        },
        ...(fileRoots === undefined ? {} : { openFile: path => openBelow(fileRoots, path) }),
      }),
    // The host is made with these ports, so both are looked up when they are needed.
    get host() {
      return host()
    },
    get journal() {
      return journal()
    },
    get undoNotes() {
      return parts.undo().notes
    },
  }
  return {
    ports: { stage: stagePort(deps.attempts), plan: planPort(deps), runner: runnerPort(deps) },
    testRuns: createTestRuns(deps),
  }
}

export type FlowRunner = ReturnType<typeof createFlowParts>
