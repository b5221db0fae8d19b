/** The laws on applications: installed as a whole or not at all, and with the permissions that they had. */
import type { Violation } from '../../laws/laws.ts'
import type { World } from './step-claims.ts'

/** Law 3: the parts of an application are of one version, each of them whole. */
export const installedWhole = ({ deeds }: World): Violation[] =>
  deeds.flatMap(({ apps }, phone) =>
    apps.halfInstalled === undefined
      ? []
      : [{ law: 3 as const, about: `phone ${phone}`, says: `it has ${apps.halfInstalled}` }],
  )

/** Law 8: no session of the package manager stays open, and nothing in the folder for what comes. */
export const nothingHalfway = ({ deeds }: World): Violation[] =>
  deeds.flatMap(({ apps, temporary }, phone) => {
    const about = `phone ${phone}`
    return [
      ...(apps.openSessions > 0 ? [`${apps.openSessions} sessions of the package manager`] : []),
      ...temporary.map(name => `/data/local/tmp/${name}`),
    ].map((what): Violation => ({ law: 8, about, says: `is left: ${what}` }))
  })
