/** The order of flows, and the names under which they are known in a run. */
import { basename, extname } from 'node:path'
import type { FlowOutline } from '../command.ts'
import type { Workspace } from './read-workspace.ts'

export interface PlannedFlow {
  readonly file: string
  /** Unique in the plan. */
  readonly name: string
  readonly flow: FlowOutline
}

export type OrderedFlows =
  | {
      readonly ok: true
      readonly flows: readonly PlannedFlow[]
      readonly orderedCount: number
      /** Names of the order behind the last flow that it has. */
      readonly leftOut: readonly string[]
    }
  | { readonly ok: false; readonly message: string }

/** The name in its header, else that of its file. */
export const ownNameOf = ({ config, file }: FlowOutline): string => config.name ?? basename(file, extname(file))

/** Within the folder that it was found in, else the file's own name. */
const shownPath = (file: string, folders: readonly string[]): string => {
  const folder = folders.map(one => `${one.replace(/\/+$/, '')}/`).find(one => file.startsWith(one))
  return folder === undefined ? basename(file) : file.slice(folder.length)
}

/** Flows of one name get their path with it, or all of their path where that is the same as well. */
const uniqueNames = (flows: readonly FlowOutline[], folders: readonly string[]): ReadonlyMap<FlowOutline, string> => {
  const counted = (names: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts
  }
  const nameCounts = counted(flows.map(ownNameOf))
  const first = flows.map(flow => {
    const name = ownNameOf(flow)
    return (nameCounts.get(name) ?? 0) > 1 ? `${name} (${shownPath(flow.file, folders)})` : name
  })
  const again = counted(first)
  return new Map(
    flows.map((flow, at) => {
      const name = first[at] ?? ownNameOf(flow)
      return [flow, (again.get(name) ?? 0) > 1 ? `${ownNameOf(flow)} (${flow.file})` : name]
    }),
  )
}

/** Names after the last one that is there are left out: then the order ends sooner. */
export const orderFlows = (
  flows: readonly FlowOutline[],
  workspace: Workspace,
  folders: readonly string[],
): OrderedFlows => {
  const wanted = [...new Set(workspace.flowsOrder)]
  const byName = new Map<string, FlowOutline[]>()
  for (const flow of flows) {
    const name = ownNameOf(flow)
    const named = byName.get(name)
    if (named === undefined) byName.set(name, [flow])
    else named.push(flow)
  }
  const found = wanted.map(name => byName.get(name) ?? [])
  const shared = wanted.find((_, at) => (found[at]?.length ?? 0) > 1)
  if (shared !== undefined) {
    return { ok: false, message: `flowsOrder names ${shared}, which is the name of more than one flow.` }
  }
  const last = found.findLastIndex(some => some.length > 0)
  const missing = wanted.filter((_, at) => at < last && found[at]?.length === 0)
  if (missing.length > 0) {
    return { ok: false, message: `flowsOrder names flows that do not run: ${missing.join(', ')}.` }
  }
  const ordered = found.flat()
  const names = uniqueNames(flows, folders)
  const all = [...new Set([...ordered, ...flows])]
  return {
    ok: true,
    flows: all.map(flow => ({ file: flow.file, name: names.get(flow) ?? ownNameOf(flow), flow })),
    orderedCount: ordered.length,
    leftOut: wanted.filter((_, at) => found[at]?.length === 0),
  }
}
