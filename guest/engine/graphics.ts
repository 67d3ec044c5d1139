/** The same for a graphics card: build/onnx-runtime.ts gives it the runtime for that. */
import './main.ts';
