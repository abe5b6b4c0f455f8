// The form with which a borrower applies for a personal loan (FIS12 §8.1, F1).
import { profileFields } from '#contract/network/form-fields.ts'
import { scenarioFor } from '#contract/sandbox/fault-scenarios.ts'
import type { Form } from '#sandbox/lender/core/form.ts'
import { keepApplicant } from '#sandbox/lender/core/store.ts'
import { applicantFrom, profileShown } from './profile.ts'

export const profileForm: Form = {
  heading: 'PERSONAL_INFORMATION',
  title: 'Apply for a personal loan',
  fields: profileFields,
  shown: () => profileShown,
  filling({ seal }, { slug }, posted) {
    const applicant = applicantFrom(posted)
    return {
      content: { ...applicant, monthlyIncome: String(applicant.monthlyIncome) },
      facts: () => ({ scenario: scenarioFor(applicant.pan, slug) }),
      keep: (tx, conversationId) => keepApplicant(tx, seal, conversationId, applicant),
    }
  },
}
