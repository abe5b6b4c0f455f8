// In which colours the demo is shown.
import { themeKeptAs } from '../theme.ts'

export { themes } from '../theme.ts'
export const { theme, applyTheme, chooseTheme } = themeKeptAs('demo-theme')
