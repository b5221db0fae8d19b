/** The css class under which a viewer finds a state or an edge in the pictures. */

const word = (dotted: string) => dotted.replaceAll('.', '-')

/**
 * A state is `state-<machine>-<path>`, an edge `edge-<machine>-<source path>-on-<event>`, and the same followed by `-to-<target path>`
 * where guards send one event to several targets; dots become dashes. An element that carries the class is lit by adding `active`.
 *
 *     cssClass('device', 'running.dispatched')                                    state-device-running-dispatched
 *     cssClass('device', 'running.dispatched', 'execution.settled')               edge-device-running-dispatched-on-execution-settled
 *     cssClass('device', 'running.dispatched', 'execution.settled', 'idle')       edge-device-running-dispatched-on-execution-settled-to-idle
 */
export const cssClass = (machine: string, path: string, event?: string, target?: string) => {
  const place = [machine, path]
    .filter(part => part !== '')
    .map(word)
    .join('-')
  if (event === undefined) return `state-${place}`
  const edge = `edge-${place}-on-${word(event)}`
  return target === undefined ? edge : `${edge}-to-${word(target)}`
}
