/** The applications of a device of this host. */

import type { AppResponse, AppsResponse } from '../../contracts/device/apps.ts'
import type { FramesResponse, MemoryResponse } from '../../contracts/device/perf.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { askApp } from '../../device/apps/ask-app.ts'
import { listApps } from '../../device/apps/list-apps.ts'
import { nearestInstalled } from '../../device/apps/nearest-app.ts'
import type { Link } from '../../device/link/link.ts'
import { askFrames, askMemory } from '../../device/perf/figures.ts'
import type { Parts } from '../parts.ts'
import { failed, success } from '../service.ts'
import { type AskOptions, deviceAsker } from './ask-device.ts'
import type { Requests } from './groups.ts'

const notInstalled = async (applicationId: string, link: Link, call: AskOptions) => {
  const near = await nearestInstalled(link, applicationId, call)
  const all = 'See `GET /devices/<id>/apps` for those that it has.'
  return failed(
    failure('APP_NOT_FOUND', `The device has no application ${applicationId}.`, {
      details: { applicationId },
      hint: near === undefined ? all : `Did you mean ${near}? ${all}`,
    }),
  )
}

export const requests = (deps: Parts): Requests<'apps'> => {
  const asking = deviceAsker(deps, 'its applications')
  return {
    'apps.list': ({ deviceId, kind }, call) =>
      asking<AppsResponse>(deviceId, call, async (link, options) => {
        const apps = await listApps(link, options, kind)
        return success({ ok: true, apps, count: apps.length })
      }),
    'apps.get': ({ deviceId, applicationId }, call) =>
      asking<AppResponse>(deviceId, call, async (link, options) => {
        const found = await askApp(link, options, applicationId)
        return found ? success({ ok: true, app: found.app }) : notInstalled(applicationId, link, options)
      }),
    'apps.frames': ({ deviceId, applicationId }, call) =>
      asking<FramesResponse>(deviceId, call, async (link, options) => {
        const frames = await askFrames(link, options, applicationId)
        return frames ? success({ ok: true, frames }) : notInstalled(applicationId, link, options)
      }),
    'apps.memory': ({ deviceId, applicationId }, call) =>
      asking<MemoryResponse>(deviceId, call, async (link, options) => {
        const memory = await askMemory(link, options, applicationId)
        return memory ? success({ ok: true, memory }) : notInstalled(applicationId, link, options)
      }),
  }
}
