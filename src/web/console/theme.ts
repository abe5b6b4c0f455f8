// The console's colour theme.
import { storedTheme } from '../theme.ts'

export { themes } from '../theme.ts'
export const { theme, applyTheme, chooseTheme } = storedTheme('console-theme')
