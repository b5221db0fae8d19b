/** The remedies for the reasons that a package manager gives, and the switches of makers that let nobody install over the bridge. */

/** Said to every caller alike, so no command and no tool is named. */
export const INSTALL_HINTS: Readonly<Record<string, string>> = {
  INSTALL_FAILED_USER_RESTRICTED:
    'Allow "Install via USB" in the developer options (some makers ask for a signed-in account), and accept the question on the phone.',
  INSTALL_FAILED_ABORTED: 'The installation was declined on the phone: accept it there and try again.',
  INSTALL_FAILED_INSUFFICIENT_STORAGE: 'Free some storage on the phone and try again.',
  INSTALL_FAILED_VERIFICATION_FAILURE:
    'Play Protect or another verifier refused it: accept it on the phone, or switch "Verify apps over USB" off in the developer options.',
  INSTALL_FAILED_UPDATE_INCOMPATIBLE:
    'The installed application is signed by someone else: uninstall it first, which removes its data.',
  INSTALL_FAILED_VERSION_DOWNGRADE:
    'A newer version is installed. Allow the downgrade, which Android takes for debuggable applications only, or uninstall it first.',
  INSTALL_FAILED_MISSING_SPLIT: 'Give all APKs of the application: the base and the splits for this device.',
  INSTALL_FAILED_INVALID_APK: 'Give the base APK and each of its splits once, all of one build.',
  INSTALL_FAILED_NO_MATCHING_ABIS: 'Build the application for the processor of this device.',
  INSTALL_FAILED_OLDER_SDK: 'The application needs a newer Android than this device has.',
  INSTALL_FAILED_DEPRECATED_SDK_VERSION:
    'Raise the targetSdkVersion of the application: this Android refuses such old ones.',
  INSTALL_FAILED_CONFLICTING_PROVIDER:
    'Another application has a content provider of the same authority: uninstall that one.',
  INSTALL_FAILED_DUPLICATE_PERMISSION: 'Another application defines the same permission: uninstall that one.',
  INSTALL_PARSE_FAILED_NO_CERTIFICATES: 'Sign the APK, for example with apksigner.',
  NOT_AN_APK: 'Give APK files. A bundle (.aab, .apks, .xapk) must be unpacked or built into APKs first.',
  PACKAGES_DIFFER:
    'Give the APKs of one application and one version in a step, and another application in another step.',
}

/** Reasons by which a switch of the maker may be meant; the refusal of -g has no reason at all. */
const BY_THE_MAKER: readonly (string | undefined)[] = [
  undefined,
  'INSTALL_FAILED_USER_RESTRICTED',
  'INSTALL_FAILED_VERIFICATION_FAILURE',
  'INSTALL_FAILED_ABORTED',
  'INSTALL_FAILED_INTERNAL_ERROR',
]

const SWITCHES: readonly (readonly [makers: RegExp, remedy: string])[] = [
  [
    /^(?:xiaomi|redmi|poco|blackshark)\b/i,
    'On Xiaomi, Redmi and POCO phones switch on "Install via USB" and "USB debugging (Security settings)" in the developer options, and accept the question on the phone.',
  ],
  [
    /^(?:oppo|realme|oneplus)\b/i,
    'On OPPO, realme and OnePlus phones switch on "Disable permission monitoring" in the developer options, and accept the question on the phone.',
  ],
  [
    /^(?:vivo|iqoo)\b/i,
    'On vivo and iQOO phones switch on "USB security permissions" in the developer options, and accept the question on the phone.',
  ],
  [
    /^(?:huawei|honor)\b/i,
    'On Huawei and Honor phones accept the question on the phone, and switch "Monitor ADB apps" off in the developer options.',
  ],
]

/** `maker` as `ro.product.manufacturer` says it; undefined where neither tells what to do. */
export const installHint = (reason: string | undefined, maker: string): string | undefined => {
  const [, remedy] = SWITCHES.find(([makers]) => makers.test(maker)) ?? []
  if (remedy !== undefined && BY_THE_MAKER.includes(reason)) return remedy
  return reason === undefined ? undefined : INSTALL_HINTS[reason]
}
