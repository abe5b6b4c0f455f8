// Labels for form fields; the headless API has one language (D2 §4).
import type { BankMandateRequest } from '#contract/headless/step.ts'

export const fieldLabels: Partial<Record<string, string>> & Record<keyof typeof BankMandateRequest.properties, string> =
  {
    accountHolderName: 'Name of the account holder',
    accountNumber: 'Account number',
    ifsc: 'IFSC',
    accountType: 'Type of the account',
  }
