// The steps that the page shows on the way to the money.

/** Each has a text, `progress.<step>`. */
export const usual = ['details', 'offers', 'kyc', 'bank', 'mandate', 'sign', 'money'] as const
export type ScreenStep = (typeof usual)[number] | 'visit' | 'pledge'
