// Labels of form fields in English, the only language of the headless API (D2 §4).
import type { BankMandateRequest } from '@lendloom/wire/headless/bank-mandate'

export const fieldLabels: Partial<Record<string, string>> & Record<keyof typeof BankMandateRequest.properties, string> =
  {
    accountHolderName: 'Account holder’s name',
    accountNumber: 'Account number',
    ifsc: 'IFSC',
    accountType: 'Account type',
  }
