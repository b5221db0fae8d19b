/** Screenshots of a phone of another host: taken there, and written here, where the caller asked for them. */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FleetFront } from '../../fleet/front.ts'
import { PICTURE_MS, type Pictured, pictureRoute, picturesIn } from '../../fleet/pictures.ts'
import { writeScreenshot } from '../../operator/screenshot-file.ts'
import type { HttpDeps } from '../deps.ts'
import { type Asking, forward, type Outcome } from './forward.ts'

export interface FetchOptions {
  host: string
  deps: Pick<HttpDeps, 'screenshots' | 'isPrivate'>
  fleet: FleetFront
  incoming: Asking
}

/** The answer, with the paths of pictures that were brought here in the place of those of the other host. */
export const fetchPictures = async (
  outcome: Extract<Outcome, { kind: 'answered' }>,
  pictured: Pictured,
  { host, deps, fleet, incoming }: FetchOptions,
): Promise<Response> => {
  const { response, body } = outcome
  if (response.status !== 200 || !Buffer.from(body).includes('take_screenshot')) return response
  const answer: unknown = JSON.parse(Buffer.from(body).toString())
  const executionId = response.headers.get('svc-execution-id')
  const taken = picturesIn(answer)
  if (taken.length === 0 || executionId === null) return response
  for (const step of taken) {
    const { data } = step
    const found = await forward(
      host,
      { method: 'GET', path: pictureRoute(executionId, step.id), withinMs: PICTURE_MS },
      { fleet, incoming, isPrivate: deps.isPrivate },
    )
    const written = await write(found, pictured, step.id, deps)
    step.data = written.ok ? { ...data, path: written.path } : { ...data, host, notFetched: written.problem }
  }
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(answer), { status: response.status, headers })
}

const write = async (
  found: Outcome,
  { paths, onlyPath }: Pictured,
  stepId: string,
  { screenshots }: Pick<HttpDeps, 'screenshots'>,
) => {
  if (found.kind !== 'answered' || found.response.status !== 200) {
    return { ok: false as const, problem: 'the picture could not be fetched from its host' }
  }
  const named = onlyPath ?? paths.get(stepId)
  if (named === undefined) await mkdir(screenshots.newFilesIn, { recursive: true, mode: 0o700 })
  const path = named ?? join(screenshots.newFilesIn, `svc-${randomUUID()}.png`)
  return writeScreenshot({ path, png: found.body })
}
