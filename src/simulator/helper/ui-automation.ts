/** The one UiAutomation that a phone has: the second to ask fails. */

export interface UiAutomation {
  /** Undefined while somebody else has it. */
  connect(owner: string): { release(): void } | undefined
  owner(): string | undefined
}

/** In the words of the system. */
export const ALREADY_REGISTERED =
  'UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5a1de already registered!'

export const createUiAutomation = (): UiAutomation => {
  let holder: { owner: string } | undefined
  return {
    connect(owner) {
      if (holder) return undefined
      const mine = { owner }
      holder = mine
      return {
        release() {
          if (holder === mine) holder = undefined
        },
      }
    },
    owner: () => holder?.owner,
  }
}
