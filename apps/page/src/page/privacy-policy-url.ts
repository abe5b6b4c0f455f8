// URL of the privacy policy in the page's language.
import { language } from '../text.ts'

export const policyUrl = (): string => `${location.origin}/lab/privacy?lang=${language.value}`
