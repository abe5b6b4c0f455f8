// The rest of the profile as one chunk, and the way to every later screen: this file hands them to the page when it runs.
import './screens.css'
import { AfterwardsScreen, ChoosingScreen, EndedScreen, FinalScreen } from './afterwards.tsx'
import { AmountField } from './amount-field.tsx'
import { keepHistory } from './back.ts'
import { type DeferredScreens, provide } from './deferred.tsx'
import { HelpLink } from './help-link.tsx'
import { here } from './here.ts'
import { LanguageChoice, resumeLanguage } from './language-choice.tsx'
import { check, leaveFirst, shownFields } from './profile-leave.ts'
import { ProfileRestScreen } from './profile-rest-screen.tsx'
import { furthestStep, screenStepsOf } from './screen-step.ts'
import { StopScreen } from './stop.tsx'

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

/** The screens are shown once their style is there. */
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
