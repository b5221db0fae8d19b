/** What an Android 12 phone with a second user prints, as far as the screen is concerned. */
export interface Android12 {
  wakefulness: 'Awake' | 'Asleep' | 'Dreaming' | 'Dozing'
  showing: boolean
  occluded: boolean
  deviceLocked: boolean
}

export const android12 = ({ wakefulness, showing, occluded, deviceLocked }: Android12) => `POWER MANAGER (dumpsys power)

Power Manager State:
  Settings power_manager_constants:
    no_cached_wake_locks=true
  mDirty=0x0
  mWakefulness=${wakefulness}
  mWakefulnessChanging=false
  mIsPowered=false
  mLastWakeTime=1284302 (10531 ms ago)
  mHoldingDisplaySuspendBlocker=${wakefulness === 'Awake'}
WINDOW MANAGER POLICY STATE (dumpsys window policy)
    mSafeMode=false mSystemReady=true mSystemBooted=true
    mCameraLensCoverState=CAMERA_LENS_COVER_ABSENT
    mWakeGestureEnabledSetting=false
    mUiMode=UI_MODE_TYPE_NORMAL mEnableCarDockHomeCapture=true
    mKeyguardOccluded=${occluded} mKeyguardOccludedChanged=false mPendingKeyguardOccluded=false
    mAllowLockscreenWhenOnDisplays=false mLockScreenTimeout=60000 mLockScreenTimerActive=false
    KeyguardServiceDelegate
      showing=${showing}
      inputRestricted=${showing}
      occluded=${occluded}
      secure=true
      dreaming=false
      systemIsReady=true
      deviceHasKeyguard=true
      enabled=true
      offReason=OFF_BECAUSE_OF_TIMEOUT
      currentUser=-10000
      bootCompleted=true
      screenState=SCREEN_STATE_${wakefulness === 'Awake' ? 'ON' : 'OFF'}
      interactiveState=INTERACTIVE_STATE_${wakefulness === 'Awake' ? 'AWAKE' : 'SLEEP'}
      KeyguardStateMonitor
        mIsShowing=${showing}
        mSimSecure=false
        mInputRestricted=${showing}
        mTrusted=false
        mCurrentUserId=0
Trust manager state:
 User "Owner" (id=0, flags=0x4c13) (current): trusted=0, trustManaged=0, deviceLocked=${Number(deviceLocked)}, strongAuthRequired=0x0
   Enabled agents:
   Events:
 User "Work profile" (id=10, flags=0x1030) (managed profile): trusted=0, trustManaged=1, deviceLocked=1, strongAuthRequired=0x1
`
