// The two tones of the hosted page: an app that is always light, or always dark, names one; else it follows the device (D1 §2.2).
export const colorSchemes = ['light', 'dark'] as const
export type ColorScheme = (typeof colorSchemes)[number]
