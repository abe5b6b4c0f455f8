// Notice of a failed step: why it failed, and what to do before the retry that the screen offers.
import type { Words } from '@lendloom/lending/reason/reason'
import { translate } from '../page/server-texts.ts'
import { t } from '../text.ts'

interface FailedStepProps {
  step: 'kyc' | 'visit' | 'lien' | 'page' | 'onePage' | 'offline' | 'statement' | 'bank' | 'eMandate' | 'loanAgreement'
  problem: Words
}

/** The steps whose text sends the borrower to the lender's numbers, which are then shown opened. */
export const stepsWithNumbers = new Set<FailedStepProps['step']>(['page', 'onePage', 'offline'])

export const FailedStep = ({ step, problem }: FailedStepProps) => (
  <div class="notice" role="alert">
    <strong>{t('step.problem')}</strong>
    <p>{translate(problem)}</p>
    <p>{t(`step.again.${step}`)}</p>
  </div>
)
