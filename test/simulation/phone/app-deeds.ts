/** Counts on a simulated phone what steps of a host have done to its applications. */
import type { SimulatedPhone } from '../../../src/simulator/device.ts'
import { apkPath } from '../../../src/simulator/package-manager.ts'
import type { Ask } from '../plan/plan.ts'
import { appMark, CAMERA, INSTALLED, installerOf, installMark, ownPackage } from './app-steps.ts'

export interface AppDeeds {
  /** Sessions of the package manager that nobody has ended. */
  readonly openSessions: number
  /** Why what is installed is of no one version; undefined where it is. */
  readonly halfInstalled: string | undefined
  /** Applications that have another state of a permission than in the beginning. */
  readonly changedPermissions: readonly string[]
}

interface WatchOptions {
  phone: SimulatedPhone
  asks: readonly Ask[]
  done(mark: string): void
}

export const watchApps = ({ phone, asks, done }: WatchOptions) => {
  const { files, helpers, permissions } = phone
  const installers = asks.flatMap(({ command, hostStep }) => (hostStep?.kind === 'install' ? [command] : []))
  const own = asks
    .map(({ command }) => ownPackage(command))
    .filter(packageName => phone.packages().includes(packageName))
  const stateOf = (packageName: string) => permissions?.state(packageName, CAMERA)
  const before = new Map(own.map(packageName => [packageName, stateOf(packageName)]))

  const clearData = phone.clearData
  phone.clearData = packageName => {
    done(appMark('cleared', packageName))
    clearData(packageName)
  }
  const { startActivity } = phone
  phone.startActivity = intent => {
    const packageName = intent.packageName ?? intent.component?.split('/')[0] ?? ''
    if (!own.includes(packageName)) return startActivity(intent)
    done(appMark('opened', packageName))
    return true
  }
  if (permissions) {
    const { grant, revoke } = permissions
    permissions.grant = (packageName, permission) => {
      done(appMark('allow', packageName))
      return grant(packageName, permission)
    }
    permissions.revoke = (packageName, permission) => {
      done(appMark('deny', packageName))
      return revoke(packageName, permission)
    }
  }
  const open = new Set<number>()
  if (helpers) {
    const { packages } = helpers
    const { uninstall } = packages
    packages.uninstall = packageName => {
      const refused = uninstall(packageName)
      if (refused === undefined) done(appMark('uninstalled', packageName))
      return refused
    }
    const { create, commit, abandon } = packages.sessions
    packages.sessions.create = flags => {
      const id = create(flags)
      if (id !== undefined) open.add(id)
      return id
    }
    packages.sessions.commit = id => {
      open.delete(id)
      return commit(id)
    }
    packages.sessions.abandon = id => {
      open.delete(id)
      abandon(id)
    }
  }

  /** The versions of the parts that are there. */
  const halfInstalled = (): string | undefined => {
    const there = files.list(`/data/app/${INSTALLED}`) ?? []
    const owners = there.map(({ name, file }) =>
      installerOf(file?.content ?? new Uint8Array(), installers, name === 'base.apk' ? 'base' : 'split'),
    )
    const isOne = owners.every(owner => owner !== undefined && owner === owners[0])
    return isOne ? undefined : there.map(({ name }, at) => `${name} of ${owners[at] ?? 'nobody'}`).join(', ')
  }

  return {
    /** Called for each file that is written. */
    written(path: string, content: Uint8Array) {
      if (path !== apkPath(INSTALLED)) return
      const installer = installerOf(content, installers, 'base')
      if (installer !== undefined) done(installMark(installer))
    },
    deeds: (): AppDeeds => ({
      openSessions: open.size + (files.list('/data/app') ?? []).filter(({ name }) => name.startsWith('vmdl')).length,
      halfInstalled: halfInstalled(),
      changedPermissions: own.filter(
        packageName => phone.packages().includes(packageName) && stateOf(packageName) !== before.get(packageName),
      ),
    }),
  }
}
