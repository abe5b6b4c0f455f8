// Chunk with the rest of the profile and the loaders of all later screens. Running it provides them to the page.
import './screens.css'
import { AmountField } from './form/amount-field.tsx'
import { enableDateEntry } from './form/date-entry.ts'
import { ApplicationLink, HelpLink } from './help/help-link.tsx'
import { ChoosingScreen, EndedScreen, FinalScreen, LoanScreen } from './loan/later-screens.tsx'
import { StopScreen } from './loan/stopped-page.tsx'
import { trackHistory } from './page/browser-history.ts'
import type { DeferredFiles } from './page/chunk-urls.ts'
import { type DeferredScreens, provide } from './page/deferred-content.tsx'
import { LanguageChoice, resumeLanguage } from './page/language-choice.tsx'
import { laterShared } from './page/later-shared-exports.ts'
import { page } from './page/page-state.ts'
import { furthestStep, screenStepsOf } from './page/progress-step.ts'
import { enablePlaces } from './profile/fill-place.ts'
import { check, formLead, openSecondPart, shownFields } from './profile/leave-profile-part.ts'
import { ProfileRestScreen } from './profile/profile-rest-screen.tsx'

declare const LATER_FILES: DeferredFiles
declare const lendloom: unknown[]

const screens: DeferredScreens['screens'] = {
  PROFILE: ProfileRestScreen,
  SEARCHING: ChoosingScreen,
  OFFERS: ChoosingScreen,
  FINALISING: FinalScreen,
  FINAL_OFFER: FinalScreen,
  KYC: LoanScreen,
  VISIT: LoanScreen,
  BANK: LoanScreen,
  STATEMENT: LoanScreen,
  LIEN: LoanScreen,
  E_MANDATE: LoanScreen,
  LOAN_AGREEMENT: LoanScreen,
  LENDER_WORKING: LoanScreen,
  DISBURSAL: LoanScreen,
  LINE_OPEN: LoanScreen,
  DISBURSED: LoanScreen,
  CLOSED: LoanScreen,
  NOT_OFFERED: EndedScreen,
  REJECTED: EndedScreen,
  NO_ANSWER: EndedScreen,
  EXPIRED: EndedScreen,
  STOP: StopScreen,
}

lendloom.push(...laterShared)
page.files = LATER_FILES
page.AmountField = AmountField
trackHistory()
enableDateEntry()
enablePlaces()
const screenStepOf = furthestStep()

/** Resolves when the style sheet is loaded; the screens wait for it. */
const styleLoaded = new Promise<void>((resolve, reject) => {
  const sheet = document.createElement('link')
  sheet.rel = 'stylesheet'
  sheet.href = page.boot.sheet
  sheet.onload = () => resolve()
  sheet.onerror = () => reject(new Error('the style sheet did not load'))
  document.head.append(sheet)
})

provide(
  Promise.all([styleLoaded, resumeLanguage()]).then(() => ({
    screens,
    LanguageChoice,
    Back: ApplicationLink,
    Help: HelpLink,
    screenStepsOf,
    screenStepOf,
    shownFields,
    formLead,
    check,
    openSecondPart,
  })),
)
