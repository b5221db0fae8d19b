/** Names of components: `package/class`, whole or short. */
import type { Phone } from '../phone.ts'

export const fullClass = (packageName: string, className: string): string => {
  if (className.startsWith('.')) return packageName + className
  return className.includes('.') ? className : `${packageName}.${className}`
}

/** `com.example/.Main` where the class lies in the package, as most tools print it. */
export const shortComponent = (packageName: string, className: string): string => {
  const full = fullClass(packageName, className)
  return `${packageName}/${full.startsWith(`${packageName}.`) ? full.slice(packageName.length) : full}`
}

export const fullComponent = (packageName: string, className: string): string =>
  `${packageName}/${fullClass(packageName, className)}`

const USUAL_ACTIVITY = '.MainActivity'

/** The activity that the launcher would start. */
export const launchActivity = (phone: Phone, packageName: string): string | undefined => {
  if (!phone.packages().includes(packageName)) return undefined
  return phone.appFacts ? phone.appFacts(packageName)?.launchActivity : USUAL_ACTIVITY
}

/** Seven hex digits that stand for an object of the system: always the same for the same name. */
export const objectToken = (name: string): string => {
  let hash = 0x811c9dc5
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0').slice(1)
}
