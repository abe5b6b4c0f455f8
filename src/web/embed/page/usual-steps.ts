// The steps of the progress bar.

/** Steps of most loans; each has a text `progress.<step>`. */
export const usual = ['details', 'offers', 'kyc', 'bank', 'mandate', 'sign', 'money'] as const
export type ScreenStep = (typeof usual)[number] | 'visit' | 'pledge'
