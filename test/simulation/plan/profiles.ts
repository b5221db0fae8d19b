/** The profiles of the simulated world, by the name of their flag. */
import { DAEMON } from '../daemon/profile.ts'
import { FLEET } from '../fleet/profile.ts'
import { FLOWS } from '../flows/profile.ts'
import { SESSIONS } from '../sessions/profile.ts'
import { SKILLS } from '../skills/profile.ts'
import { CORE, type Profile } from './profile.ts'

/** Its plans are its own business: whoever uses it handles them as one unknown type. */
type Use<T> = <P extends { seed: number }>(profile: Profile<P>) => T

const PROFILES = {
  core: <T>(use: Use<T>) => use(CORE),
  fleet: <T>(use: Use<T>) => use(FLEET),
  flows: <T>(use: Use<T>) => use(FLOWS),
  sessions: <T>(use: Use<T>) => use(SESSIONS),
  skills: <T>(use: Use<T>) => use(SKILLS),
  daemon: <T>(use: Use<T>) => use(DAEMON),
}

export type ProfileName = keyof typeof PROFILES

export const isProfileName = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name)

/** Hands a profile to what works with every one of them. */
export const withProfile = <T>(name: ProfileName, use: Use<T>): T => PROFILES[name](use)
