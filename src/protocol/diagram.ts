/** A request to the frame that draws diagrams (guest/diagram). The answer has the same id. */
export interface DiagramRequest {
  readonly id: number;
  readonly text: string;
  readonly colours: DiagramColours;
}

/** Colours of the page, as `#rrggbb`. */
export interface DiagramColours {
  readonly dark: boolean;
  readonly ground: string;
  readonly ink: string;
  readonly line: string;
  readonly node: string;
  readonly border: string;
  readonly group: string;
  readonly note: string;
  readonly noteBorder: string;
}

export type DiagramResponse =
  | {
      readonly id: number;
      /** An SVG document. The app shows it as an image and never as part of the page. */
      readonly svg: string;
      /** Its size in CSS pixels. */
      readonly width: number;
      readonly height: number;
      /** The kind of diagram, and the name and description that its text gives it for screen readers. */
      readonly kind: string;
      readonly title: string;
      readonly description: string;
    }
  | { readonly id: number; readonly problem: string };

/** The characters of the longest text that is drawn. */
export const LONGEST_DIAGRAM = 20_000;
/** The characters of the largest picture that is accepted. */
export const LARGEST_DRAWING = 2_000_000;
