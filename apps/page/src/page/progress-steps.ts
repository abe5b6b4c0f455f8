// The steps of the progress bar.

/** Steps of most loans; each has a text `progress.<step>`. */
export const usualSteps = ['details', 'offers', 'kyc', 'bank', 'mandate', 'sign', 'money'] as const
export type ScreenStep = (typeof usualSteps)[number] | 'visit' | 'pledge'
