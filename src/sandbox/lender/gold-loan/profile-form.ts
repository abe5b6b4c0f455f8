// The form with which a borrower applies for a gold loan (FIS12 §9.1).
import { goldFields } from '#contract/network/form-fields.ts'
import { scenarioFor } from '#contract/sandbox/fault-scenarios.ts'
import type { Form } from '#sandbox/lender/core/form.ts'
import { keepApplicant } from '#sandbox/lender/core/store.ts'
import { goldApplicationFrom, goldShown } from './profile.ts'

export const profileForm: Form = {
  heading: 'PERSONAL_INFORMATION',
  title: 'Apply for a gold loan',
  fields: goldFields,
  shown: () => goldShown,
  filling({ seal }, { slug }, posted) {
    const { applicant, pledge } = goldApplicationFrom(posted)
    const { milligrams: goldMilligrams, purity: goldPurity } = pledge
    return {
      content: {
        ...applicant,
        monthlyIncome: String(applicant.monthlyIncome),
        goldPurity,
        gold: `${goldMilligrams}`,
      },
      facts: () => ({ scenario: scenarioFor(applicant.pan, slug), goldMilligrams, goldPurity }),
      keep: (tx, conversationId) => keepApplicant(tx, seal, conversationId, applicant),
    }
  },
}
