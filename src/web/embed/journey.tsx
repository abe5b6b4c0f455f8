// The rest of the profile as one chunk, and the way to every later screen: this file hands them to the page when it runs.
import './screens.css'
import { AmountField } from './form/amount-field.tsx'
import { HelpLink } from './help/help-link.tsx'
import { AfterwardsScreen, ChoosingScreen, EndedScreen, FinalScreen } from './loan/afterwards.tsx'
import { StopScreen } from './loan/stop.tsx'
import { keepHistory } from './page/back.ts'
import { type DeferredScreens, provide } from './page/deferred.tsx'
import { here } from './page/here.ts'
import { LanguageChoice, resumeLanguage } from './page/language-choice.tsx'
import { furthestStep, screenStepsOf } from './page/screen-step.ts'
import { check, leaveFirst, shownFields } from './profile/profile-leave.ts'
import { ProfileRestScreen } from './profile/profile-rest-screen.tsx'

const screens: DeferredScreens['screens'] = {
  PROFILE: ProfileRestScreen,
  SEARCHING: ChoosingScreen,
  OFFERS: ChoosingScreen,
  FINALISING: FinalScreen,
  FINAL_OFFER: FinalScreen,
  KYC: AfterwardsScreen,
  VISIT: AfterwardsScreen,
  BANK: AfterwardsScreen,
  STATEMENT: AfterwardsScreen,
  LIEN: AfterwardsScreen,
  E_MANDATE: AfterwardsScreen,
  LOAN_AGREEMENT: AfterwardsScreen,
  LENDER_WORKING: AfterwardsScreen,
  DISBURSAL: AfterwardsScreen,
  LINE_OPEN: AfterwardsScreen,
  DISBURSED: AfterwardsScreen,
  CLOSED: AfterwardsScreen,
  NOT_OFFERED: EndedScreen,
  REJECTED: EndedScreen,
  NO_ANSWER: EndedScreen,
  EXPIRED: EndedScreen,
  STOP: StopScreen,
}

here.AmountField = AmountField
keepHistory()
const screenStepOf = furthestStep()

/** The screens are shown once their style is loaded. */
const styled = new Promise<void>((resolve, reject) => {
  const sheet = document.createElement('link')
  sheet.rel = 'stylesheet'
  sheet.href = here.boot.sheet
  sheet.onload = () => resolve()
  sheet.onerror = () => reject(new Error('the style sheet did not load'))
  document.head.append(sheet)
})

provide(
  Promise.all([styled, resumeLanguage()]).then(() => ({
    screens,
    LanguageChoice,
    Help: HelpLink,
    screenStepsOf,
    screenStepOf,
    shownFields,
    check,
    leaveFirst,
  })),
)
