//! A field to type a value into, with its name, and the line that says what is wrong with it.

use egui::{FontFamily, FontId, Id, Response, RichText, TextEdit, TextStyle, Ui, WidgetInfo};

use crate::app::theme::Tokens;

/// A field for a value.
#[derive(Debug, Clone, Copy)]
pub struct ValueField<'a> {
    /// Unique in the window.
    pub id: Id,
    /// Its name for screen readers.
    pub name: &'a str,
    /// What it says while it is empty.
    pub hint: &'a str,
    /// Its width in points.
    pub width: f32,
    /// Its type size against that of monospaced text.
    pub size: f32,
    /// What is wrong with what is typed; drawn around the field, told on hover and to screen readers.
    pub error: Option<&'a str>,
}

impl<'a> ValueField<'a> {
    /// A field of usual size.
    #[must_use]
    pub fn new(id: Id, name: &'a str, width: f32) -> Self {
        Self { id, name, hint: "", width, size: 1.0, error: None }
    }

    /// Shows it; `text` is kept as it is typed.
    pub fn show(self, ui: &mut Ui, text: &mut String) -> Response {
        let tokens = Tokens::of(ui);
        let before = text.clone();
        let size = TextStyle::Monospace.resolve(ui.style()).size * self.size;
        let color = if self.error.is_some() { tokens.error } else { tokens.text };
        let edit = TextEdit::singleline(text).id(self.id).font(FontId::new(size, FontFamily::Monospace));
        // A narrow field has no room to give away.
        let margin = egui::Margin::symmetric(if self.width < 60.0 { 4 } else { 8 }, 4);
        let edit = edit.desired_width(self.width).margin(margin).text_color(color);
        let response = ui.add(edit.hint_text(self.hint));
        let name = match self.error {
            Some(error) => format!("{}: {error}", self.name),
            None => self.name.to_owned(),
        };
        response.widget_info(|| WidgetInfo {
            label: Some(name.clone()),
            ..WidgetInfo::text_edit(true, &before, text.as_str(), name.as_str())
        });
        match self.error {
            Some(error) => response.on_hover_text(error),
            None => response,
        }
    }
}

/// The line that says what is wrong, in all the room that is left of a line.
pub fn error_line(ui: &mut Ui, error: &str) {
    let color = Tokens::of(ui).error;
    ui.add(egui::Label::new(RichText::new(error).color(color).text_style(TextStyle::Small)).wrap());
}
